/** The customer's side: the quotes, or one of them. */
import { isId, useHash } from '../use-hash.ts';
import { QuoteList } from './quote-list.tsx';
import { QuotePage } from './quote-page.tsx';

export function Customer() {
  const { parameters } = useHash();
  const unsaved = parameters.get('new');
  const id = unsaved ?? parameters.get('quote') ?? '';
  return isId(id) ? <QuotePage key={id} id={id} isBegun={unsaved !== null} /> : <QuoteList />;
}
