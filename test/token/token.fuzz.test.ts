/** Random tokens: each is refused, or accepted with well-formed claims. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { verifyToken } from '../../functions/token/token.ts';
import { rounds } from '../setup/full-size.ts';
import { forge, hmac } from './forge.ts';

const secret = 'a secret of at least thirty-two bytes';
const env: Env = { JWT_SECRET: secret };
const sub = 'c0000000-0000-4000-8000-000000000001';
const exp = 4_000_000_000;
const signed = (header: object | string, payload: object | string) => forge(header, payload, hmac(secret));
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

async function expectRefusal(token: string): Promise<void> {
  const verified = await verifyToken(token, env);
  expect(verified, token).toMatchObject({ ok: false, failure: { message: expect.any(String) } });
}

it('a token with any character changed, left out or added is refused', async () => {
  const token = signed({ alg: 'HS256' }, { role: 'authenticated', sub, exp });
  expect(await verifyToken(token, env)).toMatchObject({ ok: true });
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \t\0é';
  await fc.assert(
    fc.asyncProperty(
      fc.nat(token.length - 1),
      fc.constantFrom('', ...characters),
      fc.boolean(),
      async (at, character, isAdded) => {
        const changed = token.slice(0, at) + character + token.slice(isAdded ? at : at + 1);
        await (changed === token || expectRefusal(changed));
      },
    ),
    { numRuns: rounds(200, 1000) },
  );
});

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    'HS256',
    'none',
    'JWT',
    'admin',
    'authenticated',
    'service_role',
    sub,
    exp,
    0,
    null,
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

it('with a random header, a payload is accepted for HS256 alone', async () => {
  const names = 'alg typ cty kid crit b64 jwk jku x5c x5u zip enc __proto__'.split(' ');
  const members = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(members, fc.boolean(), async (members, isOurs) => {
      const all = [...(isOurs ? [['alg', 'HS256']] : []), ...members];
      const text = all.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join();
      const token = signed(`{${text}}`, { role: 'authenticated', sub, exp, jti: randomUUID() });
      const { ok } = await verifyToken(token, env);
      const last = all.findLast(([name]) => name === 'alg')?.[1];
      expect(ok && last !== 'HS256', text).toBe(false);
    }),
    { numRuns: rounds(100, 500) },
  );
});

it('a payload of random claims is refused, or gives the well-formed claims of a key or a user', async () => {
  const names = ['role', 'sub', 'exp', 'nbf', 'iat', 'aud', 'user_metadata', '__proto__'];
  const text = fc.oneof(fc.string(), fc.uuid());
  const metadata = fc.record(
    { role: fc.oneof(odd, text), account_ids: fc.oneof(odd, fc.array(text, { maxLength: 3 })) },
    { requiredKeys: [] },
  );
  const claim = fc.oneof(
    fc.tuple(fc.constantFrom(...names), odd),
    fc.tuple(fc.constant('app_metadata'), metadata),
  );
  const base = '"role":"authenticated","sub":"c0000000-0000-4000-8000-000000000001","exp":4000000000';
  let believed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(claim, { maxLength: 3 }), async claims => {
      const more = claims
        .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
        .join('');
      const verified = await verifyToken(signed({ alg: 'HS256' }, `{${base}${more}}`), env);
      if (!verified.ok) {
        expect(verified.failure).toMatchObject({ message: expect.any(String) });
        return;
      }
      believed += 1;
      const { value } = verified;
      expect(['anon', 'service_role', 'authenticated']).toContain(value.role);
      if (value.role !== 'authenticated') {
        expect(Object.keys(value)).toEqual(['role']);
        return;
      }
      expect(Object.keys(value).sort()).toEqual(['app_metadata', 'role', 'sub']);
      expect(value.sub).toMatch(uuid);
      const { role, account_ids = [], ...rest } = value.app_metadata;
      expect([undefined, 'admin', 'sales']).toContain(role);
      expect(account_ids.filter(id => !uuid.test(id))).toEqual([]);
      expect(rest).toEqual({});
    }),
    { numRuns: rounds(200, 1000) },
  );
  expect(believed).toBeGreaterThan(50);
});
