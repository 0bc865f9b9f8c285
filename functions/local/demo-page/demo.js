/** The page: two users of supabase-js, and what they send and are told. */
import { startBuilder } from './builder.js';
import { startDesk } from './desk.js';
import { logChange, logRequests } from './log.js';

/** Returns a client of the service, and the id of its user. */
function signIn(who, key, token) {
  const client = supabase.createClient(location.origin, key, {
    accessToken: async () => token,
    global: { fetch: logRequests(who) },
  });
  const user = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).sub;
  return { client, user };
}

/** Keeps `rows` up to date: by table, the rows that are shown of quotes and notifications. */
async function listen(who, { client }, output, rows) {
  const told = change => {
    logChange(who, change);
    rows[change.table]?.onChange(change);
  };
  const reload = () => {
    for (const table of Object.values(rows)) {
      table.reload();
    }
  };
  const tables = ['quotes', 'notifications'];
  const channel = tables.reduce(
    (channel, table) => channel.on('postgres_changes', { event: '*', schema: 'public', table }, told),
    client.channel('demo'),
  );
  await client.realtime.setAuth();
  channel
    .on('system', {}, ({ status }) => status === 'error' && reload())
    .subscribe(status => {
      const isLive = status === 'SUBSCRIBED';
      output.textContent = isLive ? 'live' : 'connecting';
      output.classList.toggle('on', isLive);
      if (isLive) {
        reload();
      }
    });
}

const { apikey, customer, staff } = await (await fetch('/demo/session.json')).json();
const parts = [
  ['customer', customer, startBuilder, document.getElementById('builder')],
  ['staff', staff, startDesk, document.getElementById('desk')],
];
for (const [who, token, start, section] of parts) {
  const session = signIn(who, apikey, token);
  listen(who, session, section.querySelector('.live'), start(session, section));
}
