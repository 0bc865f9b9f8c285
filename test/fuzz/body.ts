/** Bodies: rows of a collection as JSON, CSV or a form; valid, corrupted, or not rows at all. */
import { isOwned } from '../setup/collection-rows.ts';
import type { Chance } from './chance.ts';
import { anyNumber, anyText, mutated } from './texts.ts';
import { fittingValue, type Subject } from './values.ts';
import { quoteStatuses } from './world.ts';

export interface FuzzBody {
  contentType: string;
  bytes: Buffer;
}

type Row = Record<string, unknown>;

/** Mostly values that a customer may send. */
function anyRow(subject: Subject, complete: boolean): Row {
  const { collection, caller, chance } = subject;
  const row: Row = {};
  const columns = Object.entries(collection.columns);
  for (const [name, column] of columns) {
    const isRequired = !column.nullable && column.default === undefined;
    const isPermitted = caller.kind === 'staff' || column.privileges.customer.includes('insert');
    if (
      (complete && isRequired) ||
      (isPermitted ? chance.percent(12) : subject.isWild && chance.percent(1))
    ) {
      row[name] = parsed(fittingValue(subject, name, column), column.type.postgres, chance);
    }
  }
  if (complete && isOwned(collection) && chance.percent(80) && caller.owns[0]) {
    row['account_id'] = caller.owns[0].account;
  }
  if (complete && collection.name === 'quotes') {
    row['quote_number'] = `QT-2026-${10_000 + chance.below(90_000)}`;
    row['customization'] = { team: caller.owns[0]?.mark ?? 'x' };
  }
  if (complete && collection.name === 'graphics') {
    row['code'] = `NEW-${chance.below(1e9)}`;
  }
  if (complete && chance.percent(60)) {
    delete row[collection.primaryKey];
  }
  if (!complete && chance.percent(30)) {
    return { status: chance.pick(quoteStatuses) };
  }
  return row;
}

/** As a JSON value, or as a JSON string. */
function parsed(text: string, postgres: string, chance: Chance): unknown {
  if (/json|integer|bigint|numeric|boolean/.test(postgres) && chance.percent(80)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return postgres === 'text[]' ? [text, null] : text;
}

function spoilt(row: Row, { chance }: Subject): Row {
  const name = chance.pick([...Object.keys(row), 'internal_notes', 'deleted_at', 'id', anyText(chance)]);
  const value = chance.weighted<unknown>(
    [3, () => anyText(chance)],
    [1, () => null],
    [1, () => chance.pick([true, 0, -1, 1.5, 1e300, 2 ** 53])],
    [1, () => chance.pick([[], [[]], {}, { a: {} }, [null], ['a', 1]])],
    [1, () => ({ [anyText(chance)]: anyText(chance) })],
    [0.2, () => 'x'.repeat(1 << chance.below(18))],
  );
  return { ...row, [name]: value };
}

const nested = (chance: Chance): string => {
  const depth = 1 << chance.below(14);
  const [open, close] = chance.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"customization":', '}]'],
  ] as const);
  return open.repeat(depth) + (chance.percent(50) ? '1' : '') + close.repeat(depth);
};

function anyJson(subject: Subject, complete: boolean): string {
  const { chance } = subject;
  const row = () => {
    const made = anyRow(subject, complete);
    return subject.isWild && chance.percent(40) ? spoilt(made, subject) : made;
  };
  if (!subject.isWild) {
    return JSON.stringify(chance.percent(80) ? row() : [row(), row()]);
  }
  const json = chance.weighted(
    [8, () => JSON.stringify(row())],
    [2, () => JSON.stringify(chance.several(0, chance.percent(3) ? 300 : 4, row))],
    [1, () => JSON.stringify(anyRow(subject, true)).replace(/\d+/, () => anyNumber(chance))],
    [0.5, () => JSON.stringify(anyText(chance))],
    [0.5, () => nested(chance)],
    [0.5, () => `{"customization":${nested(chance)}}`],
    [0.5, () => `{"__proto__":{"admin":true},"sport":"\\ud800","sport":${JSON.stringify(anyText(chance))}}`],
    [0.3, () => anyText(chance)],
    [0.1, () => `{"sport":"${'x'.repeat(1_050_000 + chance.below(9))}"}`],
  );
  return chance.percent(10) ? mutated(json, chance) : json;
}

function anyCsv(subject: Subject, complete: boolean): string {
  const { chance } = subject;
  const row = anyRow(subject, complete);
  const quoted = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return !subject.isWild || chance.percent(90) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const names = Object.keys(row).map(name =>
    subject.isWild && chance.percent(3) ? quoted(anyText(chance)) : name,
  );
  const lines = chance.several(0, 3, () => Object.values(row).map(quoted).join(','));
  const csv = [names.join(','), ...lines].join(chance.pick(['\n', '\r\n', '\r']));
  return subject.isWild && chance.percent(30) ? mutated(csv, chance) : csv;
}

function anyForm(subject: Subject, complete: boolean): string {
  const entries = Object.entries(anyRow(subject, complete)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value),
  ]);
  const form = new URLSearchParams(entries).toString();
  return subject.isWild && subject.chance.percent(30) ? mutated(form, subject.chance) : form;
}

/** `complete`: with every column that a new row needs. */
export function anyBody(subject: Subject, complete: boolean): FuzzBody {
  const { chance } = subject;
  const [contentType, text] = chance.weighted<[string, string]>(
    [10, () => ['application/json', anyJson(subject, complete)]],
    [1, () => ['text/csv', anyCsv(subject, complete)]],
    [1, () => ['application/x-www-form-urlencoded', anyForm(subject, complete)]],
    [
      0.5,
      () => [
        chance.pick(['text/plain', 'application/json; charset=latin1', '', ';', 'x'.repeat(300)]),
        anyJson(subject, complete),
      ],
    ],
  );
  const bytes = Buffer.from(text);
  if (subject.isWild && bytes.length > 0 && chance.percent(3)) {
    bytes.fill(0x80 + chance.below(128), chance.below(bytes.length), chance.below(bytes.length) + 1);
  }
  return { contentType, bytes };
}
