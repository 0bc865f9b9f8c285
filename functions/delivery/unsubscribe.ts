/**
 * The token that identifies an account in its unsubscribe link, `<account>.<hmac>`, and the page behind the link. The page
 * needs no sign-in, so the HMAC proves that the link is ours. It is valid for as long as the secret key.
 */
import { base64url } from 'jose';
import { type Env, keysOf } from '../common/env.ts';
import type { ResponseData } from '../rest/response/response-data.ts';
import { linkWithin } from './web-address.ts';

export const unsubscribePath = '/unsubscribe/';

/** Context of the key derivation: keys derived from the same secret for other purposes are not valid here. */
const purpose = 'unsubscribe from e-mail, version 1';

const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function deriveKey(secret: string): Promise<CryptoKey> {
  const master = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  const derived = await crypto.subtle.sign(algorithm, master, encode(purpose));
  return crypto.subtle.importKey('raw', derived, algorithm, false, ['sign', 'verify']);
}

/** Returns an account's unsubscribe URL. */
export const unsubscribeAddress = async (
  { SERVICE_URL, SECRET_KEY = '' }: Env,
  account: string,
): Promise<string> =>
  linkWithin(`${unsubscribePath}${await signAccount(keysOf(SECRET_KEY)[0] ?? '', account)}`, SERVICE_URL) ??
  '';

/** Returns the token of an account, a uuid. */
export async function signAccount(secret: string, account: string): Promise<string> {
  const signature = await crypto.subtle.sign(algorithm, await deriveKey(secret), encode(account));
  return `${account}.${base64url.encode(new Uint8Array(signature))}`;
}

/** A uuid and base64url without spare bits, so that each token has a single spelling. */
const form = /^([\da-f-]{36})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/**
 * Returns the account of a token, or undefined if it was signed with none of the secret keys. Signatures are compared in
 * constant time.
 */
export async function verifyAccount(
  secretKeys: string | undefined,
  token: string,
): Promise<string | undefined> {
  const [, account, signature = ''] = form.exec(token) ?? [];
  for (const secret of account === undefined ? [] : keysOf(secretKeys)) {
    const key = await deriveKey(secret);
    if (await crypto.subtle.verify(algorithm, key, base64url.decode(signature), encode(account ?? ''))) {
      return account;
    }
  }
  return undefined;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

const button = '<form method="post"><button>Unsubscribe</button></form>';

/** The texts do not mention the account, since anyone with the mail has the link. */
const pages = {
  question: { status: 200, text: `<p>Stop receiving these notifications by e-mail?</p>\n${button}` },
  done: {
    status: 200,
    text: '<p>You will no longer get notifications by e-mail. They stay visible in the application.</p>',
  },
  invalid: { status: 404, text: '<p>This link is invalid or expired.</p>' },
  failed: {
    status: 503,
    text: `<p>This can’t be done at the moment. Please try again later.</p>\n${button}`,
  },
};

/**
 * Responds with the page behind a mail's List-Unsubscribe. Programs that open every link of a mail send GET, which changes
 * nothing. The page's button and the mail program's own (RFC 8058) send POST. `unsubscribe` stops the account's mails, and returns
 * whether it succeeded.
 */
export async function respondToUnsubscribe(
  { method }: Pick<Request, 'method'>,
  token: string,
  secretKeys: string | undefined,
  unsubscribe: (account: string) => Promise<boolean>,
): Promise<ResponseData> {
  const account = await verifyAccount(secretKeys, token);
  if (account === undefined) {
    return render('invalid', method);
  }
  return render(method !== 'POST' ? 'question' : (await unsubscribe(account)) ? 'done' : 'failed', method);
}

function render(page: keyof typeof pages, method: string): ResponseData {
  const { status, text } = pages[page];
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>E-mail notifications</title>
${text}
</html>
`;
  return {
    status,
    headers,
    body: method === 'HEAD' ? null : body,
  };
}
