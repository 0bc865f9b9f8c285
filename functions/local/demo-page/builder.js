/** The customer's side: a jersey becomes a quote, which is saved, submitted and approved. */
import { element } from './element.js';
import { drawJersey } from './jersey.js';
import { addPlayer, readRoster } from './roster.js';
import { followRows } from './rows.js';

const product = 'd0000000-0000-4000-8000-000000000001';

export function startBuilder({ client, user }, section, history) {
  const find = selector => section.querySelector(selector);
  const button = name => find(`button[name=${name}]`);
  const form = find('form');
  const roster = find('#roster');
  const latest = () => client.from('quotes').select().order('created_at', { ascending: false }).limit(100);
  const quotes = followRows(latest, render);
  const notifications = followRows(() => client.from('notifications').select().order('id'), render);
  let graphic;
  let quoteId;

  const design = () => ({
    primary: form.elements.primary.value,
    secondary: form.elements.secondary.value,
    text: form.elements.text.value,
  });

  function render() {
    const quote = quotes.rows.get(quoteId);
    const status = quote?.status;
    find('#quote').textContent = quote
      ? `${quote.quote_number} is ${status}${quote.total_price === null ? '' : `, ${quote.total_price} ${quote.currency}`}`
      : 'Not saved yet';
    button('save').disabled = quote !== undefined && status !== 'draft';
    button('submit').disabled = status !== 'draft';
    button('approve').disabled = status !== 'quoted';
    const unread = [...notifications.rows.values()].filter(({ dismissed }) => !dismissed).reverse();
    find('#bell').replaceChildren(...unread.map(renderNotification));
    drawJersey(find('#jersey'), { ...design(), graphic });
  }

  const renderNotification = ({ id, account_id, body }) => {
    const dismiss = element('button', { type: 'button', textContent: 'Dismiss' });
    dismiss.addEventListener('click', () =>
      client.from('notifications').update({ dismissed: true }).eq('id', id).then(say),
    );
    return element('li', {}, body, ...(account_id === user ? [dismiss] : []));
  };

  /** Shows an error of the service where the quote's status is. */
  function say({ error }) {
    if (error) {
      find('#quote').textContent = [error.message, error.details].filter(Boolean).join('. ');
    }
  }

  /** What a write of the quote answers. */
  function keep({ data, error }) {
    if (data) {
      quoteId = data.id;
      quotes.keep(data);
      history.choose(data);
    }
    say({ error });
  }

  async function save() {
    const { primary, secondary, text } = design();
    const players = readRoster(roster);
    const row = {
      customization: { jersey: { text, graphics: graphic ? [graphic.code] : [] }, players },
      colors: { primary, secondary },
      contact_email: form.elements.email.value || null,
      roster_count: players.length,
      size_breakdown: Object.fromEntries(
        players.map(({ size }) => [size, players.filter(player => player.size === size).length]),
      ),
    };
    if (quotes.rows.has(quoteId)) {
      keep(await client.from('quotes').update(row).match(version()).select().single());
      return;
    }
    const { data: quote_number, error } = await client.rpc('next_quote_number');
    const owner = { account_id: user, product_id: product, sport: 'baseball', quote_number };
    keep(
      error
        ? { error }
        : await client
            .from('quotes')
            .insert({ ...row, ...owner })
            .select()
            .single(),
    );
  }

  /** An update of this version fails when somebody has changed the quote since. */
  function version() {
    const { id, updated_at } = quotes.rows.get(quoteId);
    return { id, updated_at };
  }

  const moveTo = async status =>
    keep(await client.from('quotes').update({ status }).match(version()).select().single());

  async function showGraphics() {
    const { data } = await client.from('graphics').select('code,name,file_url').order('sort_order');
    find('#graphics').replaceChildren(
      ...(data ?? []).map(one => {
        const image = element('img', { src: one.file_url, alt: one.name });
        const choice = element('button', { type: 'button', title: one.name, ariaPressed: 'false' }, image);
        choice.addEventListener('click', () => {
          graphic = one;
          for (const other of find('#graphics').children) {
            other.ariaPressed = String(other === choice);
          }
          render();
        });
        return choice;
      }),
    );
  }

  button('save').addEventListener('click', save);
  button('submit').addEventListener('click', () => moveTo('submitted'));
  button('approve').addEventListener('click', () => moveTo('approved'));
  button('another').addEventListener('click', () => {
    quoteId = undefined;
    history.choose();
    render();
  });
  button('add').addEventListener('click', () => addPlayer(roster));
  form.addEventListener('input', render);
  form.addEventListener('submit', event => event.preventDefault());
  addPlayer(roster, 'Robin');
  addPlayer(roster, 'Sam');
  showGraphics();
  render();

  return { quotes, notifications };
}
