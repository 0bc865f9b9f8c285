/** Query strings that cause as much work as a URL has room for: long, wide, deep, or all of it. */
import { operators, textSearchOperators } from '../../functions/request/operators.ts';
import type { Audience, Collection } from '../../schema/collection.ts';
import type { Chance } from './chance.ts';
import { expressions, jsons, type Maker, makersOf, searches, texts } from './costly-values.ts';

/** The collection, and the audience of the caller. */
export interface Scope {
  collection: Collection;
  audience: Audience;
}

/** Characters for all parameters together, so that the URL isn't refused for its length. */
const room = 12_000;

const casts = [
  'text',
  'json',
  'jsonb',
  'numeric',
  'int',
  'date',
  'timestamptz',
  'timetz',
  'interval',
  'bytea',
  'tsvector',
  'tsquery',
  'uuid',
  'boolean',
  'name',
  'money',
];
const languages = ['', '', '(english)', '(simple)', '(turkish)'];

/** As much as there is room for, much, or little, so that each kind of cost is also tried alone. */
const anyLength = (chance: Chance, most: number): number =>
  Math.floor(most * chance.pick([0.002, 0.01, 0.1, 0.5, 1]));

export function costlyQuery(scope: Scope, chance: Chance): string {
  const parameters = chance.several(1, 3, () =>
    chance.weighted<readonly [string, string]>(
      [2, () => filter(scope, chance, room)],
      [1, () => tree(scope, chance)],
      [2, () => ['select', outputs(scope, chance)]],
      [1, () => ['order', order(scope, chance)]],
      [1, () => [chance.pick(['limit', 'offset']), chance.pick(['0', '1', '1000', '99999999'])]],
    ),
  );
  return parameters
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
    .slice(0, room + 2000)
    .replace(/%.?$/, '');
}

/** Encodes only where necessary, since an encoded character takes three times the room. */
const encoded = (text: string): string => text.replace(/[^\w\-.~!*(),:;/?@$[\]{}|>]/gu, encodeURIComponent);

/** Mostly a column that this caller may read, and for quotes a large one. */
function field(
  { collection, audience }: Scope,
  chance: Chance,
  isOneOfMany = false,
): [text: string, type: string] {
  if (collection.name === 'quotes' && chance.percent(isOneOfMany ? 97 : 65)) {
    return chance.pick<[string, string]>([
      ['customization', 'jsonb'],
      ['customization->a', 'jsonb'],
      ['customization->>a', 'text'],
      ['customization->>a', 'text'],
      [`customization${'->a'.repeat(1 + chance.below(32))}`, 'jsonb'],
      ['customer_notes', 'text'],
    ]);
  }
  const columns = Object.entries(collection.columns);
  const readable = columns.filter(([, { privileges }]) => privileges[audience].includes('select'));
  const [name, column] = chance.pick(readable.length > 0 && chance.percent(95) ? readable : columns);
  return [name, column.type.postgres];
}

function filter(scope: Scope, chance: Chance, most: number): readonly [string, string] {
  const [name, type] = field(scope, chance, most < 1000);
  return [name, operation(type, chance, most)];
}

function operation(type: string, chance: Chance, most: number): string {
  const value = (makers: Maker[], length = anyLength(chance, most)) => chance.pick(makers)(length, chance);
  const fitting = makersOf(type);
  const list = (makers: Maker[]) => {
    const each = chance.pick([1, 5, 30, 300]);
    const count = Math.min(1000, Math.max(1, Math.floor(anyLength(chance, most) / (each + 9))));
    return Array.from({ length: count }, () => quoted(value(makers, each))).join(',');
  };
  const isText = /text$|char/.test(type) || chance.percent(5);
  const isJson = /json|\[\]/.test(type) || chance.percent(5);
  const written = chance.weighted(
    [isText ? 4 : 0, () => `${chance.pick(['like', 'ilike'])}.${value(texts)}`],
    [
      isText ? 3 : 0,
      () => `${chance.pick(['like', 'ilike'])}(${chance.pick(['any', 'all'])}).{${list(texts)}}`,
    ],
    [isText ? 1 : 0, () => `${chance.pick(['match', 'imatch'])}.${value(expressions)}`],
    [
      isText ? 2 : 0,
      () => `${chance.pick(Object.keys(textSearchOperators))}${chance.pick(languages)}.${value(searches)}`,
    ],
    [isJson ? 5 : 0, () => `${chance.pick(['cs', 'cd', 'eq', 'ov'])}.${value(isJson ? jsons : fitting)}`],
    [1, () => `${chance.pick(['eq', 'gt', 'lte'])}(any).{${list(fitting)}}`],
    [2, () => `in.(${list(fitting)})`],
    [1, () => `${chance.pick(Object.keys(operators))}.${value(fitting)}`],
    [0.5, () => `is.${chance.pick(['null', 'not_null', 'true'])}`],
  );
  return chance.percent(15) ? `not.${written}` : written;
}

/** Quotes an element of a list, which may have any character. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Many short filters, or a few long ones. */
function tree(scope: Scope, chance: Chance): readonly [string, string] {
  const count = chance.pick([2, 10, 60, 190]);
  const conditions = Array.from({ length: count }, () => {
    const [name, value] = filter(scope, chance, Math.max(4, room / count - 40));
    const [, start = '', operand = ''] = /^((?:not\.)?\w+(?:\([a-z]+\))?\.)(.*)$/s.exec(value) ?? [];
    return `${name}.${start}${/in\.$|is\.$|y\)\.$|ll\)\.$/.test(start) ? operand : quoted(operand)}`;
  });
  const depth = chance.pick([0, 0, 5, 28]);
  return [
    chance.pick(['or', 'and', 'not.or']),
    `${'(and'.repeat(depth)}(${conditions.join(',')})${')'.repeat(depth)}`,
  ];
}

function outputs(scope: Scope, chance: Chance): string {
  const count = chance.pick([1, 2, 4, 10, 40, 100]);
  const [name] = field(scope, chance);
  const cast = chance.percent(50) ? `::${chance.pick(casts)}` : '';
  const aggregate = chance.percent(15) ? `.${chance.pick(['max', 'min', 'count', 'count', 'sum'])}()` : '';
  const isSame = chance.percent(60);
  const items = Array.from({ length: count }, (_, n) => {
    const [other] = isSame ? [name] : field(scope, chance, true);
    return `c${n}:${other}${cast}${aggregate}`;
  });
  return (chance.percent(10) ? [...items, 'count()'] : items).join(',');
}

const order = (scope: Scope, chance: Chance): string =>
  Array.from({ length: chance.pick([1, 5, 50]) }, () => {
    const [name] = field(scope, chance);
    return `${name}${chance.pick(['', '.desc', '.asc.nullsfirst'])}`;
  }).join(',');
