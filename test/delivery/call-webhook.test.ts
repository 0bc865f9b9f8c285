/** What a webhook is sent of an event, how it is signed (checked by the package of Standard Webhooks), and when it is repeated. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { retryAfterOf } from '../../functions/delivery/call-webhook.ts';
import { sign } from '../../functions/delivery/sign.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';
import { createSecret } from './secret.ts';

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
    { numRuns: rounds(150, 400) },
  );
});

const ofBytes = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`;

it('secrets of 24 to 64 bytes sign', async () => {
  for (const secret of [ofBytes(24), ofBytes(64)]) {
    expect(new Webhook(secret).verify('{}', await headersOf('{}', [secret]))).toEqual({});
  }
});

it.each([
  ...['', ofBytes(23), ofBytes(65), ofBytes(32).slice('whsec_'.length), ofBytes(32).slice(0, -1)],
])('a secret of another form is refused and not shown: %j', async secret => {
  expect(await sign({ id, body: '{}', secrets: [createSecret(), secret] }, now)).toEqual({
    ok: false,
    failure: 'a secret of the webhook is not whsec_ followed by the base64 of 24 to 64 bytes',
  });
});

const waitOf = (text: string) =>
  retryAfterOf(new Headers({ 'retry-after': text }), Date.parse('2026-11-24T00:00:00.500Z'));

it.each([
  [' 120 ', 120],
  ['86401', 86_400],
  ['Tue, 24 Nov 2026 00:02:00 GMT', 120],
  ['Tuesday, 24-Nov-26 00:02:00 GMT', 120],
  ['Tue Nov 24 00:02:00 2026', 120],
])('Retry-After %j is a wait of %i s, at most a day', (text, seconds) => {
  expect(waitOf(text)).toBe(seconds);
});

it.each([
  ...['', '0', '-5', '1.5', '5 minutes', '2026-11-24T00:02:00Z', 'Mon, 23 Nov 2026 00:00:00 GMT'],
  ...['Tuesday, 24-Nov-99 00:02:00 GMT', 'Tuesday, 24-Nov-26 00:02:00 CET'],
])('Retry-After %j is ignored, since it is no wait', text => {
  expect(waitOf(text)).toBeUndefined();
});
