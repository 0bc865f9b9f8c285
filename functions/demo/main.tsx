/** The page /demo: the two sides of the service, a customer's builder and the staff's desk. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Customer } from './customer/customer.tsx';
import { Developer } from './developer/developer.tsx';
import { Staff } from './staff/staff.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App sides={{ customer: <Customer />, staff: <Staff /> }}>
        <Developer />
      </App>
    </StrictMode>,
  );
}
