/** The staff's side: the quotes that wait for them, their prices and orders, and messages to customers. */
import { onPress, setOpen } from './action.js';
import { element, setText } from './element.js';
import { showList } from './list.js';
import { announce } from './news.js';
import { followRows } from './rows.js';
import { wordError, wordPlayers, wordPrice, wordStatus } from './words.js';

/** What staff do next with a quote, by its status or the one of its fulfilment. */
const steps = {
  approved: { label: 'Place the order', row: { status: 'ordered' } },
  ordered: { label: 'Review', row: { fulfillment_status: 'reviewing' } },
  reviewing: { label: 'Prepare', row: { fulfillment_status: 'preparing' } },
  preparing: { label: 'Ship', row: { fulfillment_status: 'shipping' } },
  shipping: { label: 'It is delivered', row: { fulfillment_status: 'delivered' } },
};

const stepOf = quote => steps[quote?.fulfillment_status ?? quote?.status];

const waitsForStaff = quote => quote.status === 'submitted' || stepOf(quote) !== undefined;

const describe = ({ quote_number, customization, colors, size_breakdown, total_price, currency, ...quote }) =>
  [
    `${quote_number} is ${wordStatus(quote)}`,
    customization.jersey?.graphics?.join(),
    [colors?.primary, colors?.secondary].filter(Boolean).join(' and '),
    Object.entries(size_breakdown ?? {})
      .map(([size, count]) => `${count}\u00a0×\u00a0${size}`)
      .join(', '),
    total_price !== null && wordPrice(total_price, currency),
  ]
    .filter(Boolean)
    .join(', ');

export function startDesk({ client }, section, history) {
  const find = selector => section.querySelector(selector);
  const [price, send, step, message, notify] = ['price', 'quote', 'step', 'message', 'notify'].map(name =>
    find(`[name=${name}]`),
  );
  const lastFirst = { ascending: false, nullsFirst: false };
  const latest = () => client.from('quotes').select().order('submitted_at', lastFirst).limit(100);
  const quotes = followRows(latest, renderAll);
  let chosenId;

  function renderAll() {
    const waiting = [...quotes.rows.values()].filter(waitsForStaff);
    waiting.sort((a, b) => a.quote_number.localeCompare(b.quote_number) || a.id.localeCompare(b.id));
    for (const { quote_number, status } of showList(find('#queue'), waiting, { make, update })) {
      announce(`${quote_number} waits for staff: ${status}`);
    }
    renderChosen();
  }

  function make({ id, quote_number }) {
    const open = element('button', {
      type: 'button',
      textContent: 'Open',
      ariaLabel: `Open ${quote_number}`,
    });
    open.addEventListener('click', () => {
      chosenId = id;
      history.choose(quotes.rows.get(id));
      say({});
      renderChosen();
    });
    return element('li', {}, element('span'), open);
  }

  function update(item, { quote_number, roster_count, ...quote }) {
    setText(item.firstChild, `${quote_number}, ${wordPlayers(roster_count)}, ${wordStatus(quote)}`);
  }

  function renderChosen() {
    const chosen = quotes.rows.get(chosenId);
    setText(find('#chosen'), chosen ? describe(chosen) : 'Open a quote of the list.');
    setText(step, stepOf(chosen)?.label ?? 'Place the order');
    setOpen(send, chosen?.status === 'submitted');
    setOpen(step, stepOf(chosen) !== undefined);
    setOpen(notify, chosen !== undefined);
  }

  function say({ error }) {
    setText(find('.problem'), error ? wordError(error) : '');
  }

  /** Writes only if nobody has changed the quote since it was read. */
  async function write(row) {
    const { id, updated_at } = quotes.rows.get(chosenId);
    const { data, error } = await client
      .from('quotes')
      .update(row)
      .match({ id, updated_at })
      .select()
      .single();
    if (data) {
      quotes.keep(data);
    }
    say({ error });
  }

  function sendPrice() {
    const unit_price = Number(price.value);
    // A quote without a roster gets the price of one.
    const { roster_count, currency } = quotes.rows.get(chosenId);
    const total_price = Math.round(unit_price * (roster_count || 1) * 100) / 100;
    return write({ status: 'quoted', unit_price, total_price, currency });
  }

  async function sendMessage() {
    const { account_id } = quotes.rows.get(chosenId);
    say(await client.from('notifications').insert({ account_id, body: message.value, dismissed: false }));
  }

  onPress(send, sendPrice);
  onPress(step, () => write(stepOf(quotes.rows.get(chosenId)).row));
  onPress(notify, sendMessage);
  renderChosen();

  return { quotes };
}
