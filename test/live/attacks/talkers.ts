/** Attacks by signed-in clients that send as much as they may. */
import { allQuotes } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { withSockets } from './strangers.ts';
import type { Attack, Customer, Target } from './target.ts';

type Talk = (socket: AttackSocket, n: number, tokens: string[]) => void;

/** So many sockets, each of which joins a channel first, and then says this as often as it may. */
const talk =
  (sockets: number, every: number, say: Talk): Attack =>
  async target => {
    const customer = await target.customer();
    const tokens = await tokensOf(target, customer);
    const joined = new WeakSet<AttackSocket>();
    return () =>
      withSockets(target, [sockets, target.size(5, 12), every], (socket, n) => {
        if (joined.has(socket)) {
          say(socket, n, tokens);
        } else {
          joined.add(socket);
          void socket.join('x', [allQuotes], customer.token);
        }
      });
  };

/** Returns tokens of the same user, and of 50 others. */
const tokensOf = async (target: Target, { account, token }: Customer): Promise<string[]> => [
  token,
  ...(await Promise.all(
    Array.from({ length: 50 }, (_, n) => target.token({ account, also: [], claims: { session_id: `${n}` } })),
  )),
  ...(await target.customers(50)).map(other => other.token),
];

const asFastAsAllowed = 1000 / 95;

const everything: Talk = (socket, n, tokens) => {
  const topic = 'realtime:x';
  const says: (() => void)[] = [
    () => socket.heartbeat(),
    () => socket.send(topic, 'access_token', { access_token: tokens[0] }),
    () => socket.send(topic, 'access_token', { access_token: tokens[n % tokens.length] }),
    () => socket.send(topic, 'broadcast', { type: 'broadcast', event: 'x', payload: 'x'.repeat(1000) }),
    () => socket.send(topic, 'presence', { type: 'presence', event: 'track', payload: {} }),
    () => socket.send(topic, 'no such event', { deep: [[[[[[]]]]]] }),
    () => socket.sendRaw(JSON.stringify([null, '9'.repeat(50_000), topic, 'heartbeat', {}])),
    () => socket.sendRaw(JSON.stringify([null, '99999999999999999999', 'phoenix', 'heartbeat', {}])),
    () => socket.send(`realtime:${'y'.repeat(240)}${n}`, 'access_token', { access_token: tokens[0] }),
    () => socket.sendRaw('no JSON'),
  ];
  says[n % says.length]?.();
};

export const talkerAttacks: Record<string, Attack> = {
  '30 sockets that send every kind of message': talk(30, asFastAsAllowed, everything),
  '100 sockets that send heartbeats': talk(100, asFastAsAllowed, socket => socket.heartbeat()),
  '30 sockets that send tokens of others': talk(30, asFastAsAllowed, (socket, n, tokens) =>
    socket.send('realtime:x', 'access_token', { access_token: tokens[n % tokens.length] }),
  ),
  '100 sockets that leave and join': talk(100, 2 * asFastAsAllowed, (socket, _, [token]) => {
    socket.send('realtime:x', 'phx_leave', {});
    socket.sendJoin('x', [allQuotes], token);
  }),
  '100 sockets that join with 20,900 empty bindings, signed in': talk(100, 300, (socket, _, [token]) => {
    socket.sendJoin('y', emptyBindings, token);
  }),
  '30 sockets with unlike conditions on each of their channels': talk(
    30,
    asFastAsAllowed,
    (socket, n, [token]) => {
      const filter = `company=eq.${n}`;
      socket.sendJoin(`x${n % 90}`, [{ ...allQuotes, filter }], token);
    },
  ),
};

const emptyBindings = Array.from({ length: 20_900 }, () => ({}));
