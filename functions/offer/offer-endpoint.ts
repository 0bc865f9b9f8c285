/**
 * `/offer?token=…`: an offer for whoever has its link, and their answer. It needs no sign-in and no cookie: the token is the
 * authority, so no other page can send a form that means anything. The token is in the query of each request, also of the form's,
 * because no log has a query, and because it is verified before a body is read.
 */
import { admitAddress } from '../caller/admit.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { Row } from '../database/database.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import { jsonType, type ResponseData, respondFailure } from '../rest/response/response-data.ts';
import { type Returned, readAnswer } from './answer.ts';
import { changesOf, isOffered, type ShownOffer } from './offer.ts';
import { linkOf } from './offer-link.ts';
import { renderNotice, renderOffer } from './offer-page.tsx';
import { offerPolicy } from './offer-style.ts';
import { chooseLanguage } from './offer-texts.ts';
import { answerMessage, offerMessage } from './statements.ts';

export const offer: Endpoint = {
  // Instead of the path.
  name: 'offer',
  methods: 'GET,HEAD,POST',
  // Forged tokens count too.
  admit: admitAddress('offer'),
  writes: method => method === 'POST',
  refuse,
  respond,
};

async function respond(call: Call): Promise<Result<ResponseData>> {
  const { request, env } = call;
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const link = env.OFFER_LINKS === 'off' ? undefined : await linkOf(env, token);
  if (link === undefined) {
    return fail<Failure>({ is: 'link ended' });
  }
  return request.method === 'POST' ? await answer(call, link) : await show(call, link);
}

/** Stores an answer, and redirects to the page, which says what happened: also to what was answered, or ended, before. */
async function answer(call: Call, link: string): Promise<Result<ResponseData>> {
  const { request, caller, callerKey, send } = call;
  const read = await readAnswer(request, callerKey);
  if (!read.ok) {
    return read;
  }
  const { answer, issues } = read.value;
  if (issues.length > 0) {
    return isForPrograms(request)
      ? fail<Failure>({ is: 'invalid fields', issues })
      : await show(call, link, { answer, issues, hasChanged: false });
  }
  const sent = await send(false)(answerMessage(caller, link, answer));
  if (!sent.ok) {
    return sent;
  }
  switch (sent.value[0]?.['outcome']) {
    case 'gone':
      return fail<Failure>({ is: 'link ended' });
    case 'read only':
      return fail<Failure>({ is: 'link only reads' });
    case 'changed':
      return isForPrograms(request)
        ? fail<Failure>({
            is: 'changed meanwhile',
            what: 'offer',
            hint: 'Read it again, and send its number and its total_price as offer and total.',
          })
        : await show(call, link, { answer, issues, hasChanged: true });
    default:
      return ok(respondWith(303, { location: addressOf(request) }, null));
  }
}

/** Shows the offer; `returned` is an answer that was not taken. */
async function show(call: Call, link: string, returned?: Returned): Promise<Result<ResponseData>> {
  const { request, caller, send } = call;
  const language = chooseLanguage(request);
  const sent = await send(true)(offerMessage(caller, link, language.tag, isOpened(request)));
  const shown = sent.ok ? parseOffer(sent.value[0]) : undefined;
  if (!sent.ok) {
    return sent;
  }
  if (!shown) {
    return fail<Failure>({ is: 'link ended' });
  }
  const isHead = request.method === 'HEAD';
  if (isForPrograms(request)) {
    const data = isOffered(shown) ? { ...shown, changes: changesOf(shown) } : shown;
    return ok(respondWith(200, jsonType, isHead ? null : JSON.stringify(data)));
  }
  const status = returned === undefined ? 200 : returned.hasChanged ? 409 : 400;
  const page = isHead ? null : renderOffer(language, shown, addressOf(request), returned);
  return ok(respondWith(status, htmlType, page));
}

const parseOffer = (row: Row | undefined): ShownOffer | undefined => {
  const text = row?.['offer'];
  return typeof text === 'string' ? JSON.parse(text) : undefined;
};

/** Responds to a failure with a page in the reader's language, or as JSON. */
function refuse(failure: Failure, request: Request): ResponseData {
  const response = respondFailure(failure, request);
  const { status, headers } = response;
  if (isForPrograms(request)) {
    return respondWith(status, headers, response.body);
  }
  const language = chooseLanguage(request);
  const { failures } = language.texts;
  const text = failures[status >= 500 ? 503 : status] ?? failures.other;
  const page = request.method === 'HEAD' ? null : renderNotice(language, text);
  return respondWith(status, { ...headers, ...htmlType }, page);
}

const htmlType = { 'content-type': 'text/html; charset=utf-8' };

/** Makes a response that no other page, search engine or referrer learns of. */
const respondWith = (status: number, headers: Record<string, string>, body: string | null): ResponseData => ({
  status,
  headers: {
    'content-security-policy': offerPolicy,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    ...headers,
  },
  body,
  sameOrigin: true,
});

/** Whether a program asks for the data: a page of the shop's own, on its server. */
const isForPrograms = ({ headers }: Request): boolean => {
  const accept = headers.get('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
};

/** Whether a person opens the page in a browser, and not a program that looks at links or fetches them in advance. */
const isOpened = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && !headers.has('sec-purpose');

/** Returns the address of the page, relative to itself: a proxy may serve it below a path of its own. */
function addressOf({ url }: Request): string {
  const { searchParams } = new URL(url);
  const kept = [...searchParams].filter(([name]) => name === 'token' || name === 'language');
  return `?${new URLSearchParams(kept)}`;
}
