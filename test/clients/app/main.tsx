/** An app of the service: a customer's quotes, or the desk of the staff. functions/RECIPES.md explains its parts. */
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Customer } from './customer.tsx';
import { Desk } from './desk.tsx';
import { SignIn } from './sign-in.tsx';
import { readUser } from './supabase.ts';

function App() {
  const [user, setUser] = useState(readUser);
  if (user === undefined) {
    return <SignIn onSignedIn={() => setUser(readUser)} />;
  }
  return <main>{user.isStaff ? <Desk /> : <Customer account={user.account} />}</main>;
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
