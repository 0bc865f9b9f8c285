/** What the answer is to look like: the Accept header (RFC 9110, section 12.5.1) against PostgREST's media types. */
import type { Failure } from '../failure.ts';
import { fail, ok, type Result } from '../result.ts';

export type MediaType =
  | { is: 'json'; nullsStripped: boolean }
  | { is: 'object'; nullsStripped: boolean }
  | { is: 'csv' };

interface Candidate {
  type: string;
  parameters: Record<string, string>;
  quality: number;
}

const json: MediaType = { is: 'json', nullsStripped: false };

/** Picks the best of the Accept header that this service can make; without a header, JSON. */
export function negotiate(accept: string | null): Result<MediaType> {
  if (accept === null || accept.trim() === '' || accept === '*/*') {
    return ok(json);
  }
  const candidates = splitOutsideQuotes(accept, ',').map(readCandidate);
  const ranked = candidates.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const candidate of ranked) {
    const mediaType = produce(candidate);
    if (mediaType) {
      return ok(mediaType);
    }
  }
  return fail<Failure>({ is: 'unacceptable media type', mediaTypes: candidates.map(({ type }) => type) });
}

/** The answer's Content-Type. */
export function contentType(mediaType: MediaType): string {
  switch (mediaType.is) {
    case 'json':
      return mediaType.nullsStripped
        ? 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'
        : 'application/json; charset=utf-8';
    case 'object':
      return `application/vnd.pgrst.object+json${mediaType.nullsStripped ? ';nulls=stripped' : ''}; charset=utf-8`;
    case 'csv':
      return 'text/csv; charset=utf-8';
  }
}

function produce({ type, parameters }: Candidate): MediaType | undefined {
  const nullsStripped = parameters['nulls'] === 'stripped';
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return json;
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return { is: 'json', nullsStripped };
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return { is: 'object', nullsStripped };
    case 'text/csv':
    case 'text/*':
      return { is: 'csv' };
    default:
      return undefined;
  }
}

function readCandidate(text: string): Candidate {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';').map(part => part.trim());
  const parameters: Record<string, string> = {};
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    parameters[parameter.slice(0, equals).trim().toLowerCase()] = parameter
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
  }
  const quality = Number(parameters['q'] ?? 1);
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  return text.match(separator === ',' ? /(?:"[^"]*"|[^",]|")+/g : /(?:"[^"]*"|[^";]|")+/g) ?? [];
}
