/** The link by which an account stops its mails. */
import { createHmac, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { respondToUnsubscribe, signAccount, verifyAccount } from '../../functions/delivery/unsubscribe.ts';
import { rounds } from '../setup/full-size.ts';
import { hmac } from '../token/forge.ts';

const secret = 'sb_secret_0123456789abcdef';
const account = 'c0000000-0000-4000-8000-000000000001';

/** A request to the page, and the accounts that it muted. */
async function ask(method: string, token: string, stores = true) {
  const muted: string[] = [];
  const response = await respondToUnsubscribe({ method }, token, secret, async it => {
    muted.push(it);
    return stores;
  });
  return { ...response, muted };
}

describe('the token of an account', () => {
  it('says which account it is', async () => {
    expect(await verifyAccount(secret, await signAccount(secret, account))).toBe(account);
  });

  it('is the same each time, so that the link of an old mail works', async () => {
    expect(await signAccount(secret, account)).toBe(await signAccount(secret, account));
  });

  it('is of one account and one secret', async () => {
    const token = await signAccount(secret, account);
    expect(await verifyAccount(`${secret}x`, token)).toBeUndefined();
    expect(await verifyAccount(secret, token.replace(account, randomUUID()))).toBeUndefined();
  });

  it('is valid for as long as the secret key that signed it is among the valid ones', async () => {
    const token = await signAccount(secret, account);
    expect(await verifyAccount(`sb_secret_new, ${secret}`, token)).toBe(account);
    expect(await verifyAccount('sb_secret_new', token)).toBeUndefined();
  });

  it('is not what the secret signs elsewhere', async () => {
    expect(await verifyAccount(secret, `${account}.${hmac(secret)(account)}`)).toBeUndefined();
  });

  it('is nobody’s without a secret', async () => {
    const purpose = 'unsubscribe from e-mail, version 1';
    const derived = createHmac('sha256', '').update(purpose).digest();
    const signature = createHmac('sha256', derived).update(account).digest('base64url');
    expect(await verifyAccount('', `${account}.${signature}`)).toBeUndefined();
  });

  it('has one spelling: with any character changed, left out or added it is refused', async () => {
    const token = await signAccount(secret, account);
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\0é';
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length),
        fc.constantFrom('', ...characters),
        fc.boolean(),
        async (at, character, isAdded) => {
          const changed = token.slice(0, at) + character + token.slice(isAdded ? at : at + 1);
          expect(await verifyAccount(secret, changed)).toBe(changed === token ? account : undefined);
        },
      ),
      { numRuns: rounds(300, 3000) },
    );
  });
});

describe('its page', () => {
  it('shows a button on GET, and changes nothing', async () => {
    const { status, body, muted } = await ask('GET', await signAccount(secret, account));
    expect(status).toBe(200);
    expect(body).toMatch(/<form method="post"><button>/);
    expect(muted).toEqual([]);
  });

  it('changes nothing on HEAD, and has no body', async () => {
    const { status, body, muted } = await ask('HEAD', await signAccount(secret, account));
    expect({ status, body, muted }).toEqual({ status: 200, body: null, muted: [] });
  });

  it('mutes the account on POST, of the button and of a mail program', async () => {
    const { status, body, muted } = await ask('POST', await signAccount(secret, account));
    expect(status).toBe(200);
    expect(body).toContain('You will no longer get notifications by e-mail.');
    expect(muted).toEqual([account]);
  });

  it('says so when that could not be stored', async () => {
    const { status, body } = await ask('POST', await signAccount(secret, account), false);
    expect(status).toBe(503);
    expect(body).toContain('try again');
  });

  it.each([
    'GET',
    'POST',
  ])('answers %s with a token that is not ours with 404, and mutes nobody', async method => {
    for (const token of ['', account, `${account}.`, `${account}.${'A'.repeat(43)}`, '<script>']) {
      const { status, body, muted } = await ask(method, token);
      expect({ status, muted }).toEqual({ status: 404, muted: [] });
      expect(body).not.toContain('<script');
    }
  });

  it('runs nothing, is in no frame, and tells its address to nobody', async () => {
    const { headers } = await ask('GET', await signAccount(secret, account));
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});
