/** Signatures as Standard Webhooks has them, checked by its own package. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createSecret, sign } from '../../functions/delivery/sign.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const id = 'evt_42';
const now = () => Math.floor(Date.now() / 1000);

async function headersOf(body: string, secrets: string[], seconds = now()): Promise<Record<string, string>> {
  const signed = await sign({ id, body, secrets }, seconds);
  return signed.ok ? signed.value : Promise.reject(new Error(signed.failure));
}

const isAccepted = (secret: string, body: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

it('a signature is accepted by the package of Standard Webhooks, whatever is in the body', async () => {
  const secret = createSecret();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), anyText()), async value => {
      const body = JSON.stringify({ value });
      expect(new Webhook(secret).verify(body, await headersOf(body, [secret]))).toEqual(JSON.parse(body));
    }),
    { numRuns: rounds(200, 5000) },
  );
});

it('a signature is valid only for its body, id, time and secret', async () => {
  const secret = createSecret();
  const headers = await headersOf('{"a":1}', [secret]);
  expect(isAccepted(secret, '{"a":1}', headers)).toBe(true);
  expect(isAccepted(secret, '{"a":2}', headers)).toBe(false);
  expect(isAccepted(createSecret(), '{"a":1}', headers)).toBe(false);
  expect(isAccepted(secret, '{"a":1}', { ...headers, 'webhook-id': 'evt_43' })).toBe(false);
  expect(isAccepted(secret, '{"a":1}', { ...headers, 'webhook-timestamp': `${now() + 1}` })).toBe(false);
});

it('while secrets rotate, a receiver that has either one accepts the call, and the newest signs first', async () => {
  const [older, newer] = [createSecret(), createSecret()];
  const headers = await headersOf('{}', [newer, older]);
  const signatures = headers['webhook-signature']?.split(' ') ?? [];
  expect(signatures).toHaveLength(2);
  const accepted = [older, newer, createSecret()].map(secret => isAccepted(secret, '{}', headers));
  expect(accepted).toEqual([true, true, false]);
  expect(isAccepted(newer, '{}', { ...headers, 'webhook-signature': signatures[0] ?? '' })).toBe(true);
});

const ofBytes = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`;

it('a new secret is whsec_ and 32 random bytes, and secrets of 24 to 64 bytes sign', async () => {
  expect(createSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(createSecret()).not.toBe(createSecret());
  for (const secret of [ofBytes(24), ofBytes(64)]) {
    expect(isAccepted(secret, '{}', await headersOf('{}', [secret]))).toBe(true);
  }
});

it.each([
  ...['', 'whsec_', ofBytes(23), ofBytes(65), ofBytes(32).slice('whsec_'.length), `${ofBytes(32)}\n`],
  ...[ofBytes(32).slice(0, -1), 'whsec_****************************************'],
])('a secret of another form is refused and not shown: %j', async secret => {
  expect(await sign({ id, body: '{}', secrets: [createSecret(), secret] }, now())).toEqual({
    ok: false,
    failure: 'a secret of the webhook is not whsec_ followed by the base64 of 24 to 64 bytes',
  });
});
