/** The page /demo: the two sides of the service, a customer's builder and the staff's desk. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Customer } from './customer/customer.tsx';
import { Empty } from './ui/pieces.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App fetchOf={() => fetch} sides={{ customer: <Customer />, staff: <Empty title="Quotes" /> }} />
    </StrictMode>,
  );
}
