/** Bodies: rows of a collection as JSON, CSV or a form; valid, corrupted, or not rows at all. */
import fc from 'fast-check';
import { isOwned } from '../setup/collection-rows.ts';
import { present, sometimes, text, weighted } from './arbitraries.ts';
import { anyNumber, mutated, oddText } from './texts.ts';
import { fittingValue, type Subject } from './values.ts';
import { quoteStatuses } from './world.ts';

export interface FuzzBody {
  contentType: string;
  bytes: Buffer;
}

type Row = Record<string, unknown>;

/** Mostly values that a customer may send; when complete, those of every column that a new row needs. */
function anyRow(subject: Subject, isComplete: boolean): fc.Arbitrary<Row> {
  const { collection, caller, isWild } = subject;
  const columns = Object.entries(collection.columns).map(([name, column]) => {
    const isRequired = isComplete && !column.nullable && column.default === undefined;
    const isPermitted = caller.kind === 'staff' || column.privileges.customer.includes('insert');
    const value = parsed(fittingValue(subject, name), column.type.postgres);
    return [name, isRequired ? value : sometimes(isPermitted ? 12 : isWild ? 1 : 0, value)];
  });
  const row = fc.record<Row>({ ...Object.fromEntries(columns), ...(isComplete && ownValues(subject)) });
  const change = fc.constantFrom(...quoteStatuses).map((status): Row => ({ status }));
  return weighted([isComplete ? 10 : 7, row], [isComplete ? 0 : 3, change]).map(present);
}

/** What a new row of this caller contains besides what its columns' types say. */
function ownValues({ collection, caller }: Subject): Record<string, fc.Arbitrary<unknown>> {
  const [owner] = caller.owns;
  return {
    [collection.primaryKey]: fc.constant(undefined),
    ...(isOwned(collection) && owner && { account_id: fc.constant(owner.account) }),
    ...(collection.name === 'quotes' && {
      quote_number: fc.nat(90_000).map(number => `QT-2026-${10_000 + number}`),
      customization: fc.constant({ team: owner?.mark ?? 'x' }),
    }),
    ...(collection.name === 'graphics' && { code: fc.nat().map(number => `NEW-${number}`) }),
  };
}

/** As a JSON value, or as a JSON string. */
function parsed(value: fc.Arbitrary<string>, postgres: string): fc.Arbitrary<unknown> {
  if (postgres === 'text[]') {
    return value.map(element => [element, null]);
  }
  return /json|integer|bigint|numeric|boolean/.test(postgres)
    ? weighted<unknown>([4, value.map(asJson)], [1, value])
    : value;
}

function asJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

const oddValue = weighted<unknown>(
  [15, oddText],
  [5, fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e300, 2 ** 53)],
  [5, fc.constantFrom<unknown>([], [[]], {}, { a: {} }, [null], ['a', 1])],
  [5, fc.dictionary(oddText, oddText, { maxKeys: 1 })],
  [1, fc.nat(17).map(power => 'x'.repeat(1 << power))],
);

const spoilt = (row: fc.Arbitrary<Row>, { collection }: Subject): fc.Arbitrary<Row> => {
  const known = fc.constantFrom(...Object.keys(collection.columns), 'internal_notes', 'deleted_at');
  return fc
    .tuple(row, fc.oneof(known, oddText), oddValue)
    .map(([valid, name, value]) => ({ ...valid, [name]: value }));
};

const nested = fc
  .tuple(
    fc.nat(13),
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"customization":', '}]']),
    fc.constantFrom('', '1'),
  )
  .map(([power, [open = '', close = ''], middle]) => {
    const depth = 1 << power;
    return open.repeat(depth) + middle + close.repeat(depth);
  });

const written = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> => value.map(one => JSON.stringify(one));

function anyJson(subject: Subject, isComplete: boolean): fc.Arbitrary<string> {
  const valid = anyRow(subject, isComplete);
  if (!subject.isWild) {
    return written(weighted<unknown>([4, valid], [1, fc.tuple(valid, valid)]));
  }
  const row = weighted([6, valid], [4, spoilt(valid, subject)]);
  const oddNumber = fc
    .tuple(written(anyRow(subject, true)), anyNumber)
    .map(([json, number]) => json.replace(/\d+/, number));
  const json = weighted(
    [80, written(row)],
    [20, written(weighted([97, fc.array(row, { maxLength: 4 })], [3, fc.array(row, { maxLength: 300 })]))],
    [10, oddNumber],
    [5, written(oddText)],
    [5, nested],
    [5, text`{"customization":${nested}}`],
    [5, text`{"__proto__":{"admin":true},"sport":"\\ud800","sport":${written(oddText)}}`],
    [3, oddText],
    [1, fc.nat(8).map(more => `{"sport":"${'x'.repeat(1_050_000 + more)}"}`)],
  );
  return weighted([9, json], [1, mutated(json)]);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const quoted = (value: unknown): string => `"${textOf(value).replaceAll('"', '""')}"`;

function anyCsv(subject: Subject, isComplete: boolean): fc.Arbitrary<string> {
  const row = subject.isWild
    ? weighted([9, anyRow(subject, isComplete)], [1, spoilt(anyRow(subject, isComplete), subject)])
    : anyRow(subject, isComplete);
  const cell = fc.constantFrom(...Array(9).fill(quoted), subject.isWild ? textOf : quoted);
  const csv = fc
    .tuple(row, fc.nat(3), cell, fc.constantFrom('\n', '\r\n', '\r'))
    .map(([values, count, inCell, newline]) => {
      const line = Object.values(values).map(inCell).join(',');
      return [Object.keys(values).join(','), ...Array<string>(count).fill(line)].join(newline);
    });
  return subject.isWild ? weighted([7, csv], [3, mutated(csv)]) : csv;
}

function anyForm(subject: Subject, isComplete: boolean): fc.Arbitrary<string> {
  const form = anyRow(subject, isComplete).map(row =>
    new URLSearchParams(
      Object.entries(row).map(([name, value]) => [name, textOf(value).toWellFormed()]),
    ).toString(),
  );
  return subject.isWild ? weighted([7, form], [3, mutated(form)]) : form;
}

/** Complete: with every column that a new row needs. */
export function anyBody(subject: Subject, isComplete: boolean): fc.Arbitrary<FuzzBody> {
  const json = anyJson(subject, isComplete);
  const oddType = fc.constantFrom('text/plain', 'application/json; charset=latin1', '', ';', 'x'.repeat(300));
  const body = weighted<[string, string]>(
    [20, fc.tuple(fc.constant('application/json'), json)],
    [2, fc.tuple(fc.constant('text/csv'), anyCsv(subject, isComplete))],
    [2, fc.tuple(fc.constant('application/x-www-form-urlencoded'), anyForm(subject, isComplete))],
    [1, fc.tuple(oddType, json)],
  );
  const invalid = sometimes(subject.isWild ? 3 : 0, fc.tuple(fc.integer({ min: 0x80, max: 0xff }), fc.nat()));
  return fc.tuple(body, invalid).map(([[contentType, content], byte]) => {
    const bytes = Buffer.from(content);
    if (byte && bytes.length > 0) {
      bytes[byte[1] % bytes.length] = byte[0];
    }
    return { contentType, bytes };
  });
}
