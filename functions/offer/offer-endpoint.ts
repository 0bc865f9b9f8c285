/**
 * `/offer?token=…`: an offer for whoever has its link, and their answer. It needs no sign-in and no cookie: the token is the
 * authority, so no other page can send a form that means anything. The token is in the query of each request, also of the form's,
 * because no log has a query, and because it is verified before a body is read.
 */
import { admitAddress } from '../caller/admit.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import { jsonType, type ResponseData, respondFailure } from '../rest/response/response-data.ts';
import { type Answer, answerFields, type Returned, readAnswer } from './answer.ts';
import { isOffered, type ShownOffer } from './offer.ts';
import { chooseLanguage } from './offer-language.ts';
import { linkOf } from './offer-link.ts';
import { renderNotice, renderOffer } from './offer-page.tsx';
import { offerPolicy } from './offer-style.ts';
import { answerMessage, offerMessage } from './statements.ts';

export const offer: Endpoint = {
  // Instead of the path.
  name: 'offer',
  names: answerFields,
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
  const outcome = sent.value[0]?.['outcome'];
  switch (outcome) {
    case 'gone':
      return fail<Failure>({ is: 'link ended' });
    case 'read only':
      return fail<Failure>({ is: 'link only reads' });
    case 'changed':
    case 'other terms':
      return isForPrograms(request)
        ? await explain(call, link, answer)
        : await show(call, link, { answer, issues, hasChanged: outcome === 'changed' });
    case 'closed':
    case 'ended':
      return isForPrograms(request) ? await explain(call, link, answer) : ok(redirect(request));
    default:
      return ok(redirect(request));
  }
}

const redirect = (request: Request): ResponseData => respondWith(303, { location: addressOf(request) }, null);

/** Returns what a link shows. `read`: the number of the offer that was answered in vain. */
async function readOffer(
  { request, caller, send }: Call,
  link: string,
  read: string | null = null,
): Promise<Result<ShownOffer>> {
  const { tag } = chooseLanguage(request);
  const sent = await send(true)(offerMessage(caller, link, tag, isOpened(request), read));
  if (!sent.ok) {
    return sent;
  }
  const text = sent.value[0]?.['offer'];
  return typeof text === 'string' ? ok(JSON.parse(text)) : fail<Failure>({ is: 'link ended' });
}

/** Says to a program why its answer was not taken. */
async function explain(call: Call, link: string, { offer, termsDigest }: Answer): Promise<Result<never>> {
  const read = await readOffer(call, link, offer);
  if (!read.ok) {
    return read;
  }
  const shown = read.value;
  if (!isOffered(shown) || shown.status !== 'quoted' || shown.has_ended) {
    const why = isOffered(shown) && shown.status === 'quoted' ? 'it has ended' : `it is ${shown.status}`;
    return fail<Failure>({
      is: 'closed meanwhile',
      what: 'offer',
      why,
      hint: 'Read it again: GET says who answered it, and when.',
    });
  }
  const changed = [
    ...(String(shown.offer.number) === offer || shown.changes_since === null
      ? []
      : [
          `Changed since offer ${shown.changes_since}: ${shown.changes.join(', ') || 'nothing, it was made again'}.`,
        ]),
    ...(termsDigest === null || termsDigest === shown.terms_digest ? [] : ['The terms of sale are others.']),
  ];
  const hint = [...changed, 'Read it again, and send its number, total_price and terms_digest.'].join(' ');
  return fail<Failure>({ is: 'changed meanwhile', what: 'offer', hint });
}

/** Shows the offer; `returned` is an answer that was not taken. */
async function show(call: Call, link: string, returned?: Returned): Promise<Result<ResponseData>> {
  const { request } = call;
  const read = await readOffer(call, link, returned?.answer.offer);
  if (!read.ok) {
    return read;
  }
  const isHead = request.method === 'HEAD';
  if (isForPrograms(request)) {
    return ok(respondWith(200, jsonType, isHead ? null : JSON.stringify(read.value)));
  }
  const status = returned === undefined ? 200 : returned.issues.length > 0 ? 400 : 409;
  const page = isHead ? null : renderOffer(chooseLanguage(request), read.value, addressOf(request), returned);
  return ok(respondWith(status, htmlType, page));
}

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
