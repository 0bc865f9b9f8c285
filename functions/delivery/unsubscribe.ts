/** An account's unsubscribe link, and the page behind it. The page needs no sign-in: the link has a signed id. */
import type { Env } from '../common/env.ts';
import { signId, verifyId } from '../common/signed-id.ts';
import type { ResponseData } from '../rest/response/response-data.ts';
import { linkWithin } from './web-address.ts';

export const unsubscribePath = '/unsubscribe/';

export const unsubscribePurpose = 'unsubscribe from e-mail, version 1';

/** Returns an account's unsubscribe URL. */
export const unsubscribeAddress = async (
  { SERVICE_URL, SECRET_KEY }: Env,
  account: string,
): Promise<string> =>
  linkWithin(`${unsubscribePath}${await signId(SECRET_KEY, unsubscribePurpose, account)}`, SERVICE_URL) ?? '';

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
  const account = await verifyId(secretKeys, unsubscribePurpose, token);
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
