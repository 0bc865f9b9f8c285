/** Attacks by joining again, and by coming back. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { all, allQuotes } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { type Attack, repeat, type Target } from './target.ts';

/** Lines in the feed that concern none of the attackers. */
const writeLines = (target: Target): Promise<void> =>
  target.storeQuotes(randomUUID(), target.size(6000, 30_000));

/** Sockets that join the same again and again, although what was written meanwhile may have reached them. */
const rejoinsAfterManyLines =
  (isAcknowledging: boolean): Attack =>
  async target => {
    const customers = await target.customers(40);
    return async () => {
      const sockets = await target.openAll(customers.length);
      const join = (socket: AttackSocket, n: number) =>
        socket.join('x', [all, allQuotes], customers[n]?.token);
      // A line before each, so that no two have to be told from the same one on.
      for (const [n, socket] of sockets.entries()) {
        await target.storeQuotes(randomUUID(), 1);
        await join(socket, n);
      }
      await writeLines(target);
      await repeat(target.size(6, 16), 2000, () => {
        for (const [n, socket] of sockets.entries()) {
          void join(socket, n);
          if (isAcknowledging) {
            socket.heartbeat();
          }
        }
      });
    };
  };

/** New sockets, whose references say that they were there before the lines were written. */
const comesBackAnew: Attack = async target => {
  const customer = await target.customer();
  return async () => {
    let ref = 10;
    const comeBack = async () => {
      ref += 10;
      const socket = await target.open({ ref });
      void socket?.join('x', [all, allQuotes], customer.token).then(() => socket.cut());
    };
    await comeBack();
    await sleep(500);
    await writeLines(target);
    await repeat(target.size(6, 15), target.size(100, 50), comeBack);
  };
};

const manySocketsOfACustomer: Attack = async target => {
  const customer = await target.customer();
  return async () => {
    const sockets = await target.openAll(150);
    await repeat(target.size(6, 15), 100, () => {
      for (const socket of sockets) {
        socket.sendJoin('x', [all, allQuotes], customer.token);
      }
    });
  };
};

/** Tokens that have expired when the object looks for them next. */
const expiringTokens: Attack = async target => {
  const customers = await target.customers(50);
  return async () => {
    const sockets = await target.openAll(customers.length);
    await repeat(target.size(5, 15), 1000, async () => {
      const exp = Math.floor(Date.now() / 1000) - 28;
      for (const [n, socket] of sockets.entries()) {
        const account = customers[n]?.account ?? '';
        const token = await target.token({ account, claims: { iat: exp - 60, exp } });
        void socket.join('x', [all], token);
      }
    });
  };
};

/** 100 channels with 20 bindings each on 25 sockets, each binding with as many keys as its text has room for. */
const storedBindings: Attack = async target => {
  const customer = await target.customer();
  const bindings = () =>
    Array.from({ length: 20 }, () => ({
      ...allQuotes,
      filter: `id=in.(${Array.from({ length: 18 }, () => randomUUID()).join()})`,
    }));
  return async () => {
    const sockets = await target.openAll(25);
    const fill = async (n: number) => {
      for (let channel = 0; channel < target.size(20, 100); channel++) {
        await sockets[n]?.join(`x${channel}`, bindings(), customer.token);
      }
    };
    await Promise.race([Promise.all(sockets.map((_, n) => fill(n))), sleep(20_000)]);
  };
};

/** Channels that are joined and end: each is remembered for its user. */
const endedChannels: Attack = async target => {
  const customer = await target.customer();
  return async () => {
    const one = async (n: number) => {
      const socket = await target.open();
      for (let channel = 0; channel < 10; channel++) {
        void socket?.join(`x${n} ${channel}`, [all], customer.token);
      }
      await socket?.join('x', [all], customer.token);
      socket?.cut();
    };
    const many = (n: number) => repeat(target.size(5, 15), 0, m => one(n * 1e6 + m));
    await Promise.all(Array.from({ length: 20 }, (_, n) => many(n)));
  };
};

export const returnAttacks: Record<string, Attack> = {
  '40 sockets that join again after 30,000 lines': rejoinsAfterManyLines(false),
  '40 sockets that join again after 30,000 lines, with heartbeats': rejoinsAfterManyLines(true),
  'a customer that comes back on new sockets after 30,000 lines': comesBackAnew,
  '150 sockets of a customer that join again ten times a second': manySocketsOfACustomer,
  '50 sockets whose tokens have expired a second later': expiringTokens,
  '2,500 channels of a customer with 20 bindings each': storedBindings,
  'channels that are joined and broken off': endedChannels,
};
