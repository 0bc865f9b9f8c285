/** The staff's side: the queue of submitted quotes, their prices, and messages to customers. */
import { element } from './element.js';
import { followRows } from './rows.js';

export function startDesk({ client }, section, history) {
  const find = selector => section.querySelector(selector);
  const form = find('form');
  const { price, message, quote: send, notify } = form.elements;
  const latest = () => client.from('quotes').select().order('submitted_at', { ascending: false }).limit(100);
  const quotes = followRows(latest, render);
  let chosenId;

  function render() {
    const submitted = [...quotes.rows.values()].filter(({ status }) => status === 'submitted');
    find('#queue').replaceChildren(...submitted.map(renderQuote));
    const chosen = quotes.rows.get(chosenId);
    find('#chosen').textContent = chosen ? describe(chosen) : 'Choose a quote of the queue.';
    send.disabled = chosen?.status !== 'submitted';
    notify.disabled = chosen === undefined;
  }

  const renderQuote = ({ id, quote_number, roster_count }) => {
    const open = element('button', { type: 'button', textContent: 'Open' });
    open.addEventListener('click', () => {
      chosenId = id;
      history.choose(quotes.rows.get(id));
      render();
    });
    return element('li', {}, `${quote_number}, ${roster_count ?? 0} players`, open);
  };

  const describe = ({ quote_number, status, customization, colors, size_breakdown, total_price }) =>
    [
      `${quote_number} is ${status}`,
      customization.jersey?.graphics?.join(),
      [colors?.primary, colors?.secondary].filter(Boolean).join(' and '),
      Object.entries(size_breakdown ?? {})
        .map(([size, count]) => `${count} × ${size}`)
        .join(' '),
      total_price,
    ]
      .filter(Boolean)
      .join(', ');

  function say({ error }) {
    if (error) {
      find('#chosen').textContent = [error.message, error.details].filter(Boolean).join('. ');
    }
  }

  async function sendPrice() {
    const { id, updated_at, roster_count } = quotes.rows.get(chosenId);
    const unit_price = Number(price.value);
    const total_price = Math.round(unit_price * (roster_count ?? 1) * 100) / 100;
    const { data, error } = await client
      .from('quotes')
      .update({ status: 'quoted', unit_price, total_price })
      .match({ id, updated_at })
      .select()
      .single();
    if (data) {
      quotes.keep(data);
    }
    say({ error });
  }

  async function sendMessage() {
    const { account_id } = quotes.rows.get(chosenId);
    say(await client.from('notifications').insert({ account_id, body: message.value, dismissed: false }));
  }

  form.addEventListener('submit', event => {
    event.preventDefault();
    sendPrice();
  });
  notify.addEventListener('click', sendMessage);
  render();

  return { quotes };
}
