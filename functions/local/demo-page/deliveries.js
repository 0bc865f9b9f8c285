/** What has left the service: the e-mails that `npm start` keeps in its inbox, and the calls of webhooks. */
import { element } from './element.js';
import { showList } from './list.js';
import { announce } from './news.js';
import { showTime } from './time.js';

/** Milliseconds. */
const interval = 3000;

const linkTo = (href, text) => element('a', { href, target: '_blank', rel: 'noreferrer' }, text);

/** What mails and webhooks say is shown as text alone. Only web addresses become links. */
function renderMail({ to, subject, text, unsubscribe, received }) {
  const lines = text.trim().split('\n');
  const link = /^https?:\/\/\S+$/.test(lines.at(-1)) ? lines.pop() : undefined;
  const links = [
    ...(link ? [linkTo(link, link)] : []),
    ...(unsubscribe ? [linkTo(unsubscribe, 'Stop these e-mails')] : []),
  ];
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element('summary', {}, subject, element('small', {}, ` to ${to.join(', ')}, `, showTime(received))),
      element('p', { className: 'text' }, lines.join('\n').trim()),
      element('p', { className: 'actions' }, ...links),
    ),
  );
}

const describeCall = ({ event, attempts, state, reason }) =>
  [`${event}: ${state === 'waiting' ? (attempts === 0 ? 'due' : 'tried again later') : state}`, reason]
    .filter(Boolean)
    .join(', ');

function renderWebhook({ url, events, disabled_because, calls }) {
  const state = disabled_because === null ? '' : `, disabled: ${disabled_because}`;
  const told = element('small', {}, ` is told of ${events?.join(', ') ?? 'all events'}${state}`);
  const list = element('ul', {}, ...calls.map(call => element('li', {}, describeCall(call))));
  return element('li', {}, element('div', {}, url, told, list));
}

const panels = {
  inbox: { make: renderMail, tell: ({ subject }) => announce(`E-mail: ${subject}`) },
  webhooks: { make: renderWebhook, tell: () => {} },
};

/** Returns what shows at once what may have been delivered. */
export function startDeliveries(document) {
  const refresh = async () => {
    for (const [name, { make, tell }] of Object.entries(panels)) {
      const items = await fetch(`/demo/${name}`).then(
        response => (response.ok ? response.json() : undefined),
        () => undefined, // The service is being started again.
      );
      if (items) {
        showList(document.querySelector(`#${name} > ol`), items, { make, keyOf: JSON.stringify }).forEach(
          tell,
        );
      }
    }
  };
  for (const name of Object.keys(panels)) {
    document.getElementById(name).hidden = false;
  }
  setInterval(() => document.hidden || refresh(), interval);
  refresh();
  return refresh;
}
