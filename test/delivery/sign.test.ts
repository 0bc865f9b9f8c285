import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSecret, sign } from '../../functions/delivery/sign.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const id = 'evt_42';
const now = () => Math.floor(Date.now() / 1000);

async function headersOf(body: string, secrets: string[], seconds = now()): Promise<Record<string, string>> {
  const signed = await sign({ id, body, secrets }, seconds);
  if (!signed.ok) {
    throw new Error(signed.failure);
  }
  return signed.value;
}

const isAccepted = (secret: string, body: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('a signature', () => {
  it('is what the package of Standard Webhooks makes of the same call', async () => {
    const secret = createSecret();
    const headers = await headersOf('{"a":1}', [secret]);
    const date = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': new Webhook(secret).sign(id, date, '{"a":1}'),
    });
  });

  it('is accepted by that package, whatever is in the body', async () => {
    const secret = createSecret();
    const value = fc.oneof(fc.jsonValue(), anyText());
    await fc.assert(
      fc.asyncProperty(value, async value => {
        const body = JSON.stringify({ value });
        expect(new Webhook(secret).verify(body, await headersOf(body, [secret]))).toEqual(JSON.parse(body));
      }),
      { numRuns: rounds(200, 5000) },
    );
  });

  it('is of this body, id, time and secret alone', async () => {
    const secret = createSecret();
    const headers = await headersOf('{"a":1}', [secret]);
    expect(isAccepted(secret, '{"a":1}', headers)).toBe(true);
    expect(isAccepted(secret, '{"a":2}', headers)).toBe(false);
    expect(isAccepted(createSecret(), '{"a":1}', headers)).toBe(false);
    expect(isAccepted(secret, '{"a":1}', { ...headers, 'webhook-id': 'evt_43' })).toBe(false);
    expect(isAccepted(secret, '{"a":1}', { ...headers, 'webhook-timestamp': `${now() + 1}` })).toBe(false);
  });

  it('of an hour ago is refused as a replay', async () => {
    const secret = createSecret();
    expect(isAccepted(secret, '{}', await headersOf('{}', [secret], now() - 3600))).toBe(false);
  });
});

describe('while secrets rotate', () => {
  const [older, newer] = [createSecret(), createSecret()];

  it.each([
    ['newest first', [newer, older]],
    ['oldest first', [older, newer]],
  ])('a receiver that has either secret accepts the call: %s', async (_, secrets) => {
    const headers = await headersOf('{}', secrets);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(secrets.map(secret => isAccepted(secret, '{}', headers))).toEqual([true, true]);
    expect(isAccepted(createSecret(), '{}', headers)).toBe(false);
  });

  it('the first signature is that of the first secret', async () => {
    const headers = await headersOf('{}', [newer, older]);
    const [first = ''] = headers['webhook-signature']?.split(' ') ?? [];
    expect(isAccepted(newer, '{}', { ...headers, 'webhook-signature': first })).toBe(true);
  });

  it('a secret that was removed signs no longer', async () => {
    expect(isAccepted(older, '{}', await headersOf('{}', [newer]))).toBe(false);
  });
});

describe('a secret', () => {
  it('is whsec_ and 32 random bytes', () => {
    expect(createSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(createSecret()).not.toBe(createSecret());
  });

  const ofBytes = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`;

  it.each([24, 32, 63, 64])('of %i bytes signs', async bytes => {
    expect(isAccepted(ofBytes(bytes), '{}', await headersOf('{}', [ofBytes(bytes)]))).toBe(true);
  });

  it.each([
    '',
    'whsec_',
    'secret',
    ofBytes(23),
    ofBytes(65),
    ofBytes(32).slice('whsec_'.length),
    `${ofBytes(32)}\n`,
    ofBytes(32).slice(0, -1),
    'whsec_****************************************',
  ])('of another form is refused, and not shown: %j', async secret => {
    const signed = await sign({ id, body: '{}', secrets: [createSecret(), secret] }, now());
    expect(signed).toEqual({
      ok: false,
      failure: 'a secret of the webhook is not whsec_ followed by the base64 of 24 to 64 bytes',
    });
  });

  it('is needed', async () => {
    expect(await sign({ id, body: '{}', secrets: [] }, now())).toMatchObject({ ok: false });
  });
});
