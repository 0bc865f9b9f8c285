/** Content negotiation: the Accept header (RFC 9110, section 12.5.1) against PostgREST's media types. */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';

/** The format of the rows. */
export type RowsMediaType =
  | { is: 'json'; nullsStripped: boolean }
  | { is: 'object'; nullsStripped: boolean }
  /** For spreadsheets: with a byte order mark, and without formulas. */
  | { is: 'csv'; isForSpreadsheets?: true };

/** Postgres's execution plan for the statement, instead of its rows. */
export interface PlanMediaType {
  is: 'plan';
  format: 'json' | 'text';
  options: ExplainOption[];
  /** The format of the rows whose statement is explained. */
  rows: RowsMediaType;
}

const explainOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;
type ExplainOption = (typeof explainOptions)[number];

export type MediaType = RowsMediaType | PlanMediaType;

interface Candidate {
  type: string;
  parameters: Record<string, string>;
  quality: number;
  /** Among candidates of equal quality, more parameters and fewer stars win. */
  specificity: number;
}

const json: RowsMediaType = { is: 'json', nullsStripped: false };

/** Returns the media type that the Accept header prefers among those of this service; JSON without the header. */
export function negotiate(accept: string | null): Result<MediaType> {
  if (accept === null || accept.trim() === '' || accept === '*/*') {
    return ok(json);
  }
  for (const candidate of rankCandidates(accept)) {
    const mediaType = produce(candidate);
    if (mediaType) {
      return ok(mediaType);
    }
  }
  const mediaTypes = splitOutsideQuotes(accept, ',').map(text => readMediaType(text).type);
  return fail<Failure>({ is: 'unacceptable media type', mediaTypes });
}

/** Returns the failure of a request for a media type that other requests get. */
export const notOffered = (mediaType: PlanMediaType | { is: 'csv' }): Result<never> =>
  fail<Failure>({
    is: 'unacceptable media type',
    mediaTypes: [mediaType.is === 'csv' ? 'text/csv' : `application/vnd.pgrst.plan+${mediaType.format}`],
  });

/** Returns the media types that an Accept header accepts, the most preferred first. */
export const rankCandidates = (accept: string): Candidate[] =>
  splitOutsideQuotes(accept, ',')
    .map(readMediaType)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity);

/** Returns the Content-Type of a response. */
export function contentType(mediaType: MediaType): string {
  switch (mediaType.is) {
    case 'json':
      return mediaType.nullsStripped
        ? 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'
        : 'application/json; charset=utf-8';
    case 'object':
      return `application/vnd.pgrst.object+json${mediaType.nullsStripped ? ';nulls=stripped' : ''}; charset=utf-8`;
    case 'csv':
      return `text/csv${mediaType.isForSpreadsheets ? '; profile=spreadsheet' : ''}; charset=utf-8`;
    case 'plan': {
      const { format, options, rows } = mediaType;
      const suffix = options.length > 0 ? `; options=${options.join('|')}` : '';
      return `application/vnd.pgrst.plan+${format}; for="${withoutCharset(rows)}"${suffix}; charset=utf-8`;
    }
  }
}

const withoutCharset = (mediaType: RowsMediaType): string =>
  contentType(mediaType).replace(/; charset=utf-8$/, '');

function produce(candidate: Candidate): MediaType | undefined {
  switch (candidate.type) {
    case 'application/vnd.pgrst.plan+json':
      return producePlan(candidate, 'json');
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan':
      return producePlan(candidate, 'text');
    default:
      return produceRows(candidate);
  }
}

function producePlan({ parameters }: Candidate, format: 'json' | 'text'): MediaType | undefined {
  const wanted = (parameters['options'] ?? '').split('|');
  const rows = produceRows(readMediaType(parameters['for'] ?? 'application/json'));
  return (
    rows && { is: 'plan', format, options: explainOptions.filter(option => wanted.includes(option)), rows }
  );
}

function produceRows({ type, parameters }: Candidate): RowsMediaType | undefined {
  const nullsStripped = parameters['nulls'] === 'stripped';
  switch (type) {
    case '*/*':
    case 'application/json':
      return json;
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return { is: 'json', nullsStripped };
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return { is: 'object', nullsStripped };
    case 'text/csv':
      return isForSpreadsheets(parameters) ? { is: 'csv', isForSpreadsheets: true } : { is: 'csv' };
    default:
      return undefined;
  }
}

/** Whether `text/csv` has these parameters of CSV for spreadsheets. */
export const isForSpreadsheets = (parameters: Candidate['parameters']): boolean =>
  parameters['profile'] === 'spreadsheet';

export function readMediaType(text: string): Candidate {
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
  return {
    type: type.toLowerCase(),
    parameters,
    quality: Number.isNaN(quality) ? 1 : quality,
    specificity: rest.length - (type.match(/\*/g)?.length ?? 0),
  };
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  return text.match(separator === ',' ? /(?:"[^"]*"|[^",]|")+/g : /(?:"[^"]*"|[^";]|")+/g) ?? [];
}
