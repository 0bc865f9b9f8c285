/** The link by which an account stops its mails. */
import { createHmac, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { signId, verifyId } from '../../functions/common/signed-id.ts';
import {
  respondToUnsubscribe,
  unsubscribeAddress,
  unsubscribePurpose,
} from '../../functions/delivery/unsubscribe.ts';
import { hmac } from '../caller/token/forge.ts';

const secret = 'sb_secret_0123456789abcdef';
const account = 'c0000000-0000-4000-8000-000000000001';

/** A request to the page, and the accounts that it unsubscribed. */
async function ask(method: string, token: string, stores = true) {
  const unsubscribed: string[] = [];
  const response = await respondToUnsubscribe({ method }, token, secret, async it => {
    unsubscribed.push(it);
    return stores;
  });
  return { ...response, unsubscribed };
}

it('an unsubscribe token is for one account, and valid while the secret key that signed it is', async () => {
  const token = await signId(secret, unsubscribePurpose, account);
  expect(await signId(secret, unsubscribePurpose, account)).toBe(token);
  expect(await verifyId(`sb_secret_new, ${secret}`, unsubscribePurpose, token)).toBe(account);
  expect(await verifyId(`${secret}x`, unsubscribePurpose, token)).toBeUndefined();
  expect(await verifyId(secret, unsubscribePurpose, token.replace(account, randomUUID()))).toBeUndefined();
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    const spelled = token.slice(0, -1) + last;
    expect(await verifyId(secret, unsubscribePurpose, spelled)).toBe(spelled === token ? account : undefined);
  }
});

it('the unsubscribe link keeps the path of the service', async () => {
  const url = 'https://api.test/data/';
  const address = await unsubscribeAddress({ SERVICE_URL: url, SECRET_KEY: secret } as Env, account);
  expect(address).toBe(
    `https://api.test/data/unsubscribe/${await signId(secret, unsubscribePurpose, account)}`,
  );
});

it('neither what the secret signs elsewhere nor a signature by an empty secret is an unsubscribe token', async () => {
  expect(await verifyId(secret, unsubscribePurpose, `${account}.${hmac(secret)(account)}`)).toBeUndefined();
  const derived = createHmac('sha256', '').update('unsubscribe from e-mail, version 1').digest();
  const signature = createHmac('sha256', derived).update(account).digest('base64url');
  expect(await verifyId('', unsubscribePurpose, `${account}.${signature}`)).toBeUndefined();
});

it.each([
  ['GET', true, 200, /<form method="post"><button>/, []],
  ['POST', true, 200, /You will no longer get notifications by e-mail\./, [account]],
  ['POST', false, 503, /try again/, [account]],
] as const)('%s of the unsubscribe page, stored: %s, is answered with %i', async (method, stores, status, body, unsubscribed) => {
  const response = await ask(method, await signId(secret, unsubscribePurpose, account), stores);
  expect(response).toMatchObject({ status, unsubscribed });
  expect(String(response.body)).toMatch(body);
});

it('a token that is not ours is 404 and unsubscribes no account', async () => {
  for (const token of ['', account, `${account}.${'A'.repeat(43)}`, '<script>']) {
    const { status, body, unsubscribed } = await ask('POST', token);
    expect({ status, unsubscribed }).toEqual({ status: 404, unsubscribed: [] });
    expect(body).not.toContain('<script');
  }
});

it('the unsubscribe page runs no script, is in no frame, and sends no referrer', async () => {
  const { headers } = await ask('GET', await signId(secret, unsubscribePurpose, account));
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['referrer-policy']).toBe('no-referrer');
});
