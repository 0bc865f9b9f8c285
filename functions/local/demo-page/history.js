/** What has happened to a quote, from the collection `quote_events`, in words. */
import { element } from './element.js';
import { showList } from './list.js';
import { followRows } from './rows.js';
import { showTime } from './time.js';
import { wordPrice } from './words.js';

const actors = {
  customer: 'the customer',
  staff: 'staff',
  service: 'a program',
  sweep: 'the expiry job',
};

const priced = ['quote.quoted', 'quote.repriced', 'quote.approved'];

const onlySaved = 'Nothing yet, but that it was saved.';

const wordOf = event => (event === 'quote.draft' ? 'taken back to draft' : event.replace('quote.', ''));

function describe({ event, total_price, currency, created_as }) {
  const word = wordOf(event);
  const price =
    priced.includes(event) && total_price !== null ? ` at ${wordPrice(total_price, currency)}` : '';
  return `${word[0].toUpperCase()}${word.slice(1)}${price} by ${actors[created_as]}, `;
}

export function startHistory({ client }, section) {
  const title = section.querySelector('small');
  const list = section.querySelector('ol');
  const noneChosen = list.dataset.empty;
  let quote;
  const ofQuote = () => client.from('quote_events').select().eq('quote_id', quote.id).order('id');
  const events = followRows(() => (quote ? ofQuote() : { data: [] }), render);

  function render() {
    const shown = [...events.rows.values()]
      .filter(({ quote_id }) => quote_id === quote?.id)
      .sort((a, b) => a.id - b.id);
    const make = event => element('li', {}, describe(event), showTime(event.created_at));
    showList(list, shown, { make });
  }

  return {
    events,
    /** Shows the history of this quote from now on; none without one. */
    choose(chosen) {
      if (chosen?.id !== quote?.id) {
        quote = chosen;
        title.textContent = quote?.quote_number ?? '';
        list.dataset.empty = quote ? onlySaved : noneChosen;
        render();
        events.reload();
      }
    },
  };
}
