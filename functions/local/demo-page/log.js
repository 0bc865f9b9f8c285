/** Shows the requests, their answers and the changes that are told. */
import { element } from './element.js';

const list = document.querySelector('#log ol');
const most = 100;

function show(line, className, details) {
  const shown = element('li', { className }, line);
  if (details !== '') {
    shown.replaceChildren(element('details', {}, element('summary', {}, line), element('pre', {}, details)));
  }
  list.prepend(shown);
  list.children[most]?.remove();
}

/** Returns a `fetch` for supabase-js that shows what it sends and receives. */
export const logRequests = who => async (input, init) => {
  const started = performance.now();
  const response = await fetch(input, init);
  const { pathname, search } = new URL(input, location);
  const milliseconds = Math.round(performance.now() - started);
  const path = decodeURIComponent(pathname + search);
  show(
    `${who} → ${init?.method ?? 'GET'} ${path} → ${response.status}, ${milliseconds} ms`,
    response.ok ? 'request' : 'request failed',
    [init?.body, await response.clone().text()].filter(Boolean).join('\n\n→\n\n'),
  );
  return response;
};

export function logChange(who, { eventType, table, new: row, old }) {
  show(
    `${who} ← ${eventType} ${table} ${row.id ?? old.id}${row.status ? ` ${row.status}` : ''}`,
    'change',
    JSON.stringify(eventType === 'DELETE' ? old : row, null, 1),
  );
}
