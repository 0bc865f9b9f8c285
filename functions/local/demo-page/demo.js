/** The page: two users of supabase-js, and what they send and are told. */
import { startBuilder } from './builder.js';
import { startDeliveries } from './deliveries.js';
import { startDesk } from './desk.js';
import { startHistory } from './history.js';
import { logChange, logRequests } from './log.js';

/** Returns a client of the service and the id of its user. */
function signIn(who, key, token) {
  const client = supabase.createClient(location.origin, key, {
    accessToken: async () => token,
    global: { fetch: logRequests(who) },
  });
  const claims = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
  return { client, user: claims.sub };
}

/** Keeps `rows` up to date: by table, the rows that are shown. Whatever is told may have been delivered too. */
async function listen(who, { client }, output, rows, refreshDeliveries) {
  const told = change => {
    logChange(who, change);
    rows[change.table]?.onChange(change);
    refreshDeliveries();
  };
  const reload = () => {
    for (const table of Object.values(rows)) {
      table.reload();
    }
  };
  const tables = ['quotes', 'notifications', 'quote_events'];
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

const { apikey, customer, staff, showsDeliveries } = await (await fetch('/demo/session.json')).json();
const refreshDeliveries = showsDeliveries ? startDeliveries(document) : () => {};
const [builder, desk, past] = ['builder', 'desk', 'history'].map(id => document.getElementById(id));
const asCustomer = signIn('customer', apikey, customer);
const asStaff = signIn('staff', apikey, staff);
const { events, choose } = startHistory(asStaff, past);
const ofCustomer = startBuilder(asCustomer, builder, { choose });
const ofStaff = { ...startDesk(asStaff, desk, { choose }), quote_events: events };
listen('customer', asCustomer, builder.querySelector('.live'), ofCustomer, refreshDeliveries);
listen('staff', asStaff, desk.querySelector('.live'), ofStaff, refreshDeliveries);
