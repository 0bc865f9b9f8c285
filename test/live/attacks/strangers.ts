/** Attacks before sign-in, by clients that have only the publishable key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import { all } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { type Attack, addressOf, repeat, type Target } from './target.ts';

/** Does this with each of so many sockets in each round. Those that were closed are opened again. */
export async function withSockets(
  target: Target,
  [count, seconds, every]: [count: number, seconds: number, every: number],
  use: (socket: AttackSocket, n: number) => void,
): Promise<void> {
  const sockets = new Map<number, AttackSocket | 'opening'>();
  const reopen = async (n: number) => {
    sockets.set(n, 'opening');
    const socket = await target.open({ address: addressOf(n) });
    await sleep(socket ? 0 : 500);
    sockets.delete(n);
    if (socket) {
      sockets.set(n, socket);
    }
  };
  await repeat(seconds, every, round => {
    for (let n = 0; n < count; n++) {
      const socket = sockets.get(n);
      if (socket === undefined || (socket !== 'opening' && !socket.isOpen)) {
        void reopen(n);
      } else if (socket !== 'opening') {
        use(socket, round * count + n);
      }
    }
  });
}

/** Short tokens, and some that are as long as a token may be. */
const tokensOfAnotherService = () =>
  Promise.all(
    ['', 'x'.repeat(5500)].flatMap(filler =>
      Array.from({ length: 1000 }, (_, n) =>
        createAccessToken('not the secret of this service, though as long', {
          account: `${n}`,
          claims: { filler },
        }),
      ),
    ),
  );

/** Joins, 85 times a second on each of 20 sockets. */
const foreignTokens: Attack = async target => {
  const tokens = await tokensOfAnotherService();
  return () =>
    withSockets(target, [20, target.size(5, 15), 1000 / 85], (socket, n) =>
      socket.sendJoin('x', [all], tokens[n % tokens.length]),
    );
};

const idleSockets: Attack = async target => async () => {
  // More than there are places for.
  const count = target.size(1000, 5200);
  await target.openAll(count, n => ({ address: addressOf(n % 5) }));
  await sleep(target.size(4, 12) * 1000);
};

const openedAndClosed: Attack = async target => async () => {
  await repeat(target.size(5, 15), 0, async () => {
    const sockets = await target.openAll(500, n => ({ address: addressOf(n % 5) }));
    for (const socket of sockets) {
      socket.cut();
    }
  });
};

/** Messages that take long to parse, or make long errors. */
const oddJson: Attack = async target => {
  const join = (payload: object) => JSON.stringify(['1', '1', 'realtime:x', 'phx_join', payload]);
  const texts = [
    '['.repeat(60_000),
    `["1","1","realtime:x","phx_join",${'{"config":'.repeat(5000)}`,
    JSON.stringify(['1', '1', `realtime:${'x'.repeat(60_000)}`, 'phx_join', {}]),
    JSON.stringify(['9'.repeat(60_000), '1', 'realtime:x', 'phx_join', {}]),
    join(Array(12_000).fill('1.5e3')),
    join({ access_token: 'e30.'.repeat(15_000) }),
    join({ config: { postgres_changes: 'x'.repeat(60_000) } }),
    join({ config: { postgres_changes: Array(20_900).fill({}) }, access_token: 'a.b.c' }),
  ];
  return () =>
    withSockets(target, [50, target.size(5, 12), 100], (socket, n) =>
      socket.sendRaw(texts[n % texts.length] ?? ''),
    );
};

export const strangerAttacks: Record<string, Attack> = {
  '1,700 joins a second with tokens of another service': foreignTokens,
  '5,000 sockets of five addresses that join nothing': idleSockets,
  '500 sockets that are opened and closed, over and over': openedAndClosed,
  '50 sockets with messages that no client sends': oddJson,
};
