/** Three requests of the reference page that run with one click, and show what was sent and what came back. */
import { quotes } from '../../schema/quotes.ts';

/** What a new quote must have; the page puts the reader's account and an unused number in place of the examples. */
const example = Object.fromEntries(
  Object.entries(quotes.columns).flatMap(([name, { example: value }]) =>
    value === undefined ? [] : [[name, value]],
  ),
);

export const tryHtml = `<section aria-labelledby="try">
<h2 id="try">Try it</h2>
<button data-try="library">Read the library</button>
<button data-try="quotes">My quotes, with their offers</button>
<button data-try="draft">Create a draft</button>
<div id="exchanges" aria-live="polite"></div>
</section>`;

export const tryStyle = `section { box-sizing: border-box; display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; max-width: 1420px; margin: auto; padding: 0 20px }
section h2 { margin: 0; font-size: 1rem }
section button { font: inherit; font-size: .9rem; padding: .45rem .9rem; border: 1px solid var(--accent); border-radius: 4px; background: none; color: var(--accent); cursor: pointer }
#exchanges { flex: 1 0 100%; min-width: 0 }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: .6rem 1rem; margin-bottom: 1rem }
.exchange pre { margin: 0; padding: .7rem .9rem; border: 1px solid #8886; border-radius: 4px; font: .8rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
.exchange pre:last-child { border-left: 3px solid var(--accent) }
`;

/** It follows the page's script, whose `form` and `problem` it uses. */
export const tryScript = `
const exchanges = document.getElementById('exchanges');
const example = ${JSON.stringify(example)};

/** Returns the user of an access token; undefined if it is none. */
function subjectOf(token) {
  try {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).sub;
  } catch {
    return undefined;
  }
}

function credentials() {
  return { apikey: form.elements.apikey.value.trim(), token: form.elements.token.value.trim() };
}

/** Sends a request. Returns the status line and the JSON of the response. */
async function send(method, path, body, more = {}) {
  const { apikey, token } = credentials();
  const headers = {
    apikey,
    ...(token && { authorization: 'Bearer ' + token }),
    ...(body && { 'content-type': 'application/json' }),
    ...more,
  };
  const begin = performance.now();
  const response = await fetch('/rest/v1' + path, { method, headers, body: body && JSON.stringify(body) });
  const json = await response.json();
  const time = Math.round(performance.now() - begin);
  return { headers, json, isOk: response.ok, line: [response.status, response.statusText, '· ' + time + ' ms'].join(' ') };
}

/** Returns an element with a text. */
function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Sends a request and shows it beside its response. Returns the JSON; undefined if it was refused. */
async function exchange(method, path, body, more) {
  const { headers, json, isOk, line } = await send(method, path, body, more);
  const shown = Object.entries(headers).map(([name, value]) => name + ': ' + (value.length > 60 ? value.slice(0, 24) + '…' : value));
  const request = [method + ' /rest/v1' + path, ...shown, ...(body ? ['', JSON.stringify(body, null, 2)] : [])];
  const pair = document.createElement('div');
  pair.className = 'exchange';
  pair.append(element('pre', request.join('\\n')), element('pre', line + '\\n\\n' + JSON.stringify(json, null, 2)));
  exchanges.append(pair);
  return isOk ? json : undefined;
}

/** Returns the body of a draft with an unused number; undefined if no number was given. */
const draftOf = (quote_number) => quote_number && { ...example, account_id: subjectOf(credentials().token), quote_number };

const tries = {
  library: () => exchange('GET', '/graphics?select=code,name,tags&order=sort_order&limit=3'),
  quotes: () => exchange(
    'GET',
    '/quotes?select=quote_number,status,quote_offers(number,total_price,currency)&order=created_at.desc,id&limit=3',
  ),
  async draft() {
    const draft = draftOf(await exchange('POST', '/rpc/next_quote_number'));
    if (draft) await exchange('POST', '/quotes', draft, { prefer: 'return=representation' });
  },
};

/** Says which credential is missing, at its field. */
function missing(name) {
  const { apikey, token } = credentials();
  const field = !apikey ? 'apikey' : !token && name !== 'library' ? 'token' : undefined;
  problem.textContent = field === 'apikey'
    ? 'Enter the publishable key first: each request has it.'
    : field && 'Enter the access token of a signed-in user first: quotes belong to an account.';
  if (field) form.elements[field].focus();
  return field !== undefined;
}

document.querySelector('section').addEventListener('click', async ({ target }) => {
  const name = target.dataset.try;
  if (!name || missing(name)) return;
  exchanges.replaceChildren();
  try {
    await tries[name]();
  } catch (error) {
    exchanges.append(element('pre', error.message));
  }
});

/** Puts an unused number into the body of a new quote, when its operation is opened. */
reference.addEventListener('click', async ({ target }) => {
  if (!target.closest('#operations-quotes-post_quotes .opblock-summary')) return;
  const { json, isOk } = await send('POST', '/rpc/next_quote_number');
  if (isOk) fill(['/quotes', 'post'], JSON.stringify(draftOf(json), null, 2));
});
`;
