/** The page /demo: the two sides of the service, a customer's builder and the staff's desk. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { QuoteList } from './customer/quote-list.tsx';
import { QuotePage } from './customer/quote-page.tsx';
import { Developer } from './developer/developer.tsx';
import { Staff } from './staff/staff.tsx';
import { isId, useHash } from './use-hash.ts';

/** The customer's side: the quotes, or one of them. */
function Customer() {
  const { parameters } = useHash();
  const unsaved = parameters.get('new');
  const id = unsaved ?? parameters.get('quote') ?? '';
  return isId(id) ? <QuotePage key={id} id={id} isBegun={unsaved !== null} /> : <QuoteList />;
}

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
