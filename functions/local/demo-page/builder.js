/** The customer's side: a jersey becomes a quote, which is saved, submitted, and approved or not. */
import { onPress, setOpen } from './action.js';
import { startBell } from './bell.js';
import { setText } from './element.js';
import { startGraphics } from './graphics.js';
import { drawJersey } from './jersey.js';
import { addPlayer, readRoster } from './roster.js';
import { followRows } from './rows.js';
import { wordError, wordPrice, wordStatus } from './words.js';

const product = 'd0000000-0000-4000-8000-000000000001';

/** The customer's moves, by the names of their buttons. */
const moves = {
  submit: { from: ['draft'], to: 'submitted' },
  withdraw: { from: ['submitted'], to: 'draft' },
  approve: { from: ['quoted'], to: 'approved' },
  reject: { from: ['quoted'], to: 'rejected' },
  cancel: { from: ['draft', 'submitted', 'quoted', 'approved'], to: 'cancelled' },
};

const describe = ({ quote_number, total_price, currency, ...quote }) => {
  const price = total_price === null ? '' : `, ${wordPrice(total_price, currency)}`;
  return `${quote_number} is ${wordStatus(quote)}${price}`;
};

export function startBuilder(customer, section, history) {
  const { client, user } = customer;
  const find = selector => section.querySelector(selector);
  const button = name => find(`button[name=${name}]`);
  const form = find('form');
  const roster = find('#roster');
  const graphics = startGraphics(customer, find('#graphics'));
  const latest = () => client.from('quotes').select().order('created_at', { ascending: false }).limit(100);
  const quotes = followRows(latest, render);
  let quoteId;

  function readDesign() {
    const { primary, secondary, text, graphic } = form.elements;
    return {
      ...{ primary: primary.value, secondary: secondary.value, text: text.value },
      graphic: graphics.get(graphic.value),
    };
  }

  function render() {
    const quote = quotes.rows.get(quoteId);
    const isOpen = quote === undefined || quote.status === 'draft';
    setText(find('#quote'), quote ? describe(quote) : 'Not saved yet');
    setOpen(button('save'), isOpen);
    for (const [name, { from }] of Object.entries(moves)) {
      setOpen(button(name), from.includes(quote?.status));
    }
    for (const fieldset of form.querySelectorAll('fieldset')) {
      fieldset.disabled = !isOpen;
    }
  }

  const draw = () => drawJersey(find('#jersey'), readDesign());

  function say({ error }) {
    setText(find('.problem'), error ? wordError(error) : '');
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

  function readForm() {
    const { primary, secondary, text, graphic } = readDesign();
    const players = readRoster(roster);
    return {
      customization: { jersey: { text, graphics: graphic ? [graphic.code] : [] }, players },
      colors: { primary, secondary },
      contact_email: form.elements.email.value || null,
      roster_count: players.length,
      size_breakdown: Object.fromEntries(
        players.map(({ size }) => [size, players.filter(player => player.size === size).length]),
      ),
    };
  }

  /** Writes only if nobody has changed the quote since it was read. */
  async function update(row) {
    const { id, updated_at } = quotes.rows.get(quoteId);
    keep(await client.from('quotes').update(row).match({ id, updated_at }).select().single());
  }

  async function insert(row) {
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

  onPress(button('save'), () => (quotes.rows.has(quoteId) ? update(readForm()) : insert(readForm())));
  for (const [name, { to }] of Object.entries(moves)) {
    // What is submitted is what the form says.
    onPress(button(name), () => update({ ...(name === 'submit' && readForm()), status: to }));
  }
  onPress(button('another'), () => {
    quoteId = undefined;
    history.choose();
    say({});
    render();
  });
  onPress(button('add'), () => addPlayer(roster).querySelector('input').focus());
  form.addEventListener('input', draw);
  form.addEventListener('submit', event => event.preventDefault());
  addPlayer(roster, 'Robin');
  addPlayer(roster, 'Sam');
  draw();
  render();

  return { quotes, notifications: startBell(customer, find('#bell'), say) };
}
