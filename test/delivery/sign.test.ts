/** Signatures as Standard Webhooks has them, checked by its own package. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createSecret, sign } from '../../functions/delivery/sign.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const id = 'evt_42';
const now = Math.floor(Date.now() / 1000);

async function headersOf(body: string, secrets: string[]): Promise<Record<string, string>> {
  const signed = await sign({ id, body, secrets }, now);
  return signed.ok ? signed.value : Promise.reject(new Error(signed.failure));
}

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

const ofBytes = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`;

it('a new secret is whsec_ and 32 random bytes, and secrets of 24 to 64 bytes sign', async () => {
  expect(createSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(createSecret()).not.toBe(createSecret());
  for (const secret of [ofBytes(24), ofBytes(64)]) {
    expect(new Webhook(secret).verify('{}', await headersOf('{}', [secret]))).toEqual({});
  }
});

it.each([
  ...['', 'whsec_', ofBytes(23), ofBytes(65), ofBytes(32).slice('whsec_'.length), `${ofBytes(32)}\n`],
  ...[ofBytes(32).slice(0, -1), 'whsec_****************************************'],
])('a secret of another form is refused and not shown: %j', async secret => {
  expect(await sign({ id, body: '{}', secrets: [createSecret(), secret] }, now)).toEqual({
    ok: false,
    failure: 'a secret of the webhook is not whsec_ followed by the base64 of 24 to 64 bytes',
  });
});
