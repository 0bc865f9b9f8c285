/**
 * The page behind a mail's List-Unsubscribe. Programs that look at every link of a mail only GET it, which changes nothing;
 * its button, and the mail program's own (RFC 8058), POST.
 */
import type { ResponseData } from '../response/response-data.ts';
import { verifyAccount } from './unsubscribe.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

const button = '<form method="post"><button>Send me no more e-mail</button></form>';

/** The texts say nothing of the account, since whoever has the mail has the link. */
const pages = {
  question: { status: 200, text: `<p>Shall these notifications no longer come by e-mail?</p>\n${button}` },
  done: {
    status: 200,
    text: '<p>No more notifications are sent to you by e-mail. The application still has them.</p>',
  },
  invalid: { status: 404, text: '<p>This link is not valid, or not any more.</p>' },
  failed: {
    status: 503,
    text: `<p>This can’t be done at the moment. Please try again later.</p>\n${button}`,
  },
};

/** `mute` stops the account's mails, and says whether that is stored. */
export async function answerUnsubscribe(
  { method }: Pick<Request, 'method'>,
  token: string,
  secretKeys: string | undefined,
  mute: (account: string) => Promise<boolean>,
): Promise<ResponseData> {
  const account = await verifyAccount(secretKeys, token);
  if (account === undefined) {
    return render('invalid', method);
  }
  return render(method !== 'POST' ? 'question' : (await mute(account)) ? 'done' : 'failed', method);
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
