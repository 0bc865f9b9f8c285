/** Reads the answer to an offer from a form or from JSON. What it may say is checked here, so that a form can show what is wrong. */
import type { Failure } from '../common/failure/failure.ts';
import { absent, type BodyIssue } from '../common/failure/issue.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { kib } from '../common/limits.ts';
import { readBody } from '../rest/request/read-body.ts';
import { hasSigns, hasWords, visibleLine, visibleText } from './visible-text.ts';

/** Answers to offers, by their links. Beyond: 413 `PGRST102`, of the name and the message 400 `22P02`. */
export const answerLimits = {
  /** Size */
  bytes: 16 * kib,
  /** Bytes of the name */
  nameBytes: 200,
  /** Characters of the message */
  saidCharacters: 1000,
} as const;

export const answers = ['approved', 'rejected', 'submitted'] as const;

export type AnswerStatus = (typeof answers)[number];

/** An answer: the move, what its sender read of the offer, and who says what. Numbers are texts of digits. */
export interface Answer {
  status: AnswerStatus;
  offer: string;
  total: string;
  name: string;
  said: string;
  /** Of the terms of sale that were read; null if they are not named. */
  termsDigest: string | null;
}

/** What was typed, and which of it is wrong. Without issues it is complete. */
export interface ReadAnswer {
  answer: Answer;
  issues: BodyIssue[];
}

/** An answer that was not taken: what was typed, and why. */
export interface Returned extends ReadAnswer {
  /** It answers another offer than the newest one. */
  hasChanged: boolean;
}

export const answerFields = ['status', 'offer', 'total', 'name', 'said', 'terms_digest'] as const;
type Fields = Partial<Record<string, string>>;

export async function readAnswer(request: Request, owner: string): Promise<Result<ReadAnswer>> {
  const tooLarge = fail<Failure>({ is: 'body too large', limit: answerLimits.bytes });
  if (Number(request.headers.get('content-length') ?? 0) > answerLimits.bytes) {
    return tooLarge;
  }
  const body = await readBody(request, owner);
  if (!body.ok) {
    return body;
  }
  const { text, release } = body.value;
  release();
  if (text.length > answerLimits.bytes) {
    return tooLarge;
  }
  const given = parseFields(request.headers.get('content-type') ?? '', text);
  return given.ok ? checkFields(given.value) : given;
}

const invalid = (message: string): Result<never> =>
  fail<Failure>({
    is: 'invalid body',
    message,
    hint: 'Send { "status": "approved", "offer": 1, "total": 100, "name": "…", "said": null } as application/json, or the same as a form.',
  });

function parseFields(contentType: string, text: string): Result<Fields> {
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return parseForm(text);
    case 'application/json':
      return parseJson(text);
    default:
      return invalid('The body is neither a form nor JSON');
  }
}

/** Parses a form. Unlike URLSearchParams it refuses what is not UTF-8, and a field that is given twice. */
function parseForm(text: string): Result<Fields> {
  const given = new Map<string, string>();
  for (const pair of text === '' ? [] : text.split('&')) {
    try {
      const [name = '', value = ''] = pair
        .split(/=(.*)/s)
        .map(part => decodeURIComponent(part.replaceAll('+', ' ')));
      if (given.has(name)) {
        return invalid('The form has a field twice');
      }
      given.set(name, value);
    } catch {
      return invalid('The form is not valid UTF-8');
    }
  }
  return ok(Object.fromEntries(given));
}

function parseJson(text: string): Result<Fields> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('The body is not an object');
  }
  const given = Object.entries(value).filter(([name, one]) => isField(name) && one !== null);
  if (given.some(([, one]) => typeof one !== 'string' && typeof one !== 'number')) {
    return invalid('A field is neither a text nor a number');
  }
  return ok(Object.fromEntries(given.map(([name, one]) => [name, String(one)])));
}

const isField = (name: string): boolean => (answerFields as readonly string[]).includes(name);

/** Numbers as Postgres reads them, shorter than what it can hold. */
const isOffer = (text = ''): boolean => /^\d{1,9}$/.test(text);
const isDigest = (text: string): boolean => /^[\da-f]{64}$/.test(text);
const isTotal = (text = ''): boolean => /^\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?$/.test(text);

/** Returns the answer with the issues of what a person typed; fails where a program sent what no form of ours has. */
function checkFields(given: Fields): Result<ReadAnswer> {
  const status = answers.find(one => one === given['status']);
  const { offer = '', total = '', terms_digest: termsDigest = null } = given;
  const own = [
    ...(status ? [] : [issue('status', `one of ${answers.join(', ')}`, given['status'])]),
    ...(isOffer(offer) ? [] : [issue('offer', 'the number of the offer', given['offer'])]),
    ...(isTotal(total) ? [] : [issue('total', 'the total price of the offer', given['total'])]),
    ...(termsDigest === null || isDigest(termsDigest)
      ? []
      : [issue('terms_digest', 'the terms_digest of the offer', termsDigest)]),
  ];
  if (!status || own.length > 0) {
    return fail<Failure>({ is: 'invalid fields', issues: own, hint: 'Send what you read of the offer.' });
  }
  const name = visibleLine(given['name']);
  const said = visibleText(given['said']);
  return ok({
    answer: { status, offer: String(Number(offer)), total, name, said, termsDigest },
    issues: issuesOf(status, name, said),
  });
}

function issuesOf(status: AnswerStatus, name: string, said: string): BodyIssue[] {
  const issues: BodyIssue[] = [];
  if (!hasWords(name)) {
    issues.push({ path: 'name', ...absent });
  } else if (new TextEncoder().encode(name).length > answerLimits.nameBytes) {
    issues.push(issue('name', `at most ${answerLimits.nameBytes} bytes long`, 'longer'));
  }
  if (!hasSigns(said) && status !== 'approved') {
    issues.push({ path: 'said', ...absent });
  } else if ([...said].length > answerLimits.saidCharacters) {
    issues.push(issue('said', `at most ${answerLimits.saidCharacters} characters long`, 'longer'));
  }
  return issues;
}

/** What is no text of ours is not repeated. */
const issue = (path: string, expected: string, received?: string): BodyIssue =>
  received === undefined
    ? { path, ...absent }
    : { path, expected, received: received === 'longer' ? received : 'something else', sqlstate: '22P02' };
