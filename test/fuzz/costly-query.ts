/** Query strings that ask for as much work as an address has room for: long, wide, deep, or all of it. */
import { operators, textSearchOperators } from '../../functions/operators.ts';
import type { Collection } from '../../schema/collection.ts';
import type { Chance } from './chance.ts';
import { expressions, jsons, type Maker, makersOf, searches, texts } from './costly-values.ts';

/** Characters that all parameters have together, so that an address isn't refused for its length. */
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

/** The most there is room for, much, or little: what costs much in two ways must be tried in each alone as well. */
const anyLength = (chance: Chance, most: number): number =>
  Math.floor(most * chance.pick([0.002, 0.01, 0.1, 0.5, 1]));

export function costlyQuery(collection: Collection, chance: Chance): string {
  const parameters = chance.several(1, 3, () =>
    chance.weighted<readonly [string, string]>(
      [2, () => filter(collection, chance, room)],
      [1, () => tree(collection, chance)],
      [2, () => ['select', outputs(collection, chance)]],
      [1, () => ['order', order(collection, chance)]],
      [1, () => [chance.pick(['limit', 'offset']), chance.pick(['0', '1', '1000', '99999999'])]],
    ),
  );
  return parameters
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
    .slice(0, room + 2000)
    .replace(/%.?$/, '');
}

/** As little as must be, since what is encoded takes three times the room. */
const encoded = (text: string): string => text.replace(/[^\w\-.~!*(),:;/?@$[\]{}|>]/gu, encodeURIComponent);

function field(collection: Collection, chance: Chance): [text: string, type: string] {
  if (collection.name === 'quotes' && chance.percent(60)) {
    return chance.pick<[string, string]>([
      ['customization', 'jsonb'],
      ['customization->a', 'jsonb'],
      ['customization->>a', 'text'],
      ['customization->>a', 'text'],
      [`customization${'->a'.repeat(1 + chance.below(32))}`, 'jsonb'],
      ['customer_notes', 'text'],
    ]);
  }
  const [name, column] = chance.pick(Object.entries(collection.columns));
  return [name, column.type.postgres];
}

function filter(collection: Collection, chance: Chance, most: number): readonly [string, string] {
  const [name, type] = field(collection, chance);
  return [name, operation(type, chance, most)];
}

function operation(type: string, chance: Chance, most: number): string {
  const value = (makers: Maker[], length = anyLength(chance, most)) => chance.pick(makers)(length, chance);
  const fitting = makersOf(type);
  const list = (makers: Maker[]) => {
    const each = chance.pick([1, 5, 30, 300]);
    const count = Math.min(1000, Math.max(1, Math.floor(anyLength(chance, most) / (each + 3))));
    return Array.from({ length: count }, () => value(makers, each).replace(/[{}(),"\\]/g, '')).join(',');
  };
  const plain = Object.keys(operators);
  const written = chance.weighted(
    [3, () => `${chance.pick(['like', 'ilike'])}.${value(texts)}`],
    [2, () => `${chance.pick(['like', 'ilike'])}(${chance.pick(['any', 'all'])}).{${list(texts)}}`],
    [1, () => `${chance.pick(['match', 'imatch'])}.${value(expressions)}`],
    [1, () => `${chance.pick(['eq', 'gt', 'lte'])}(any).{${list(fitting)}}`],
    [2, () => `in.(${list(fitting)})`],
    [3, () => `${chance.pick(['cs', 'cd', 'eq', 'ov'])}.${value(/json/.test(type) ? jsons : fitting)}`],
    [2, () => `${chance.pick(Object.keys(textSearchOperators))}${chance.pick(languages)}.${value(searches)}`],
    [2, () => `${chance.pick(plain)}.${value(fitting)}`],
    [1, () => `is.${chance.pick(['null', 'not_null', 'true'])}`],
  );
  return chance.percent(15) ? `not.${written}` : written;
}

/** Many filters, each with little room, or a few with much. */
function tree(collection: Collection, chance: Chance): readonly [string, string] {
  const count = chance.pick([2, 10, 60, 190]);
  const conditions = Array.from({ length: count }, () => {
    const [name, value] = filter(collection, chance, Math.max(4, room / count - 40));
    return `${name}.${/^[^"]*[(){},][^"]*$/.test(value) && !/^(?:not\.)?(?:in|\w+\((?:any|all)\))\./.test(value) ? 'is.null' : value}`;
  });
  const depth = chance.pick([0, 0, 5, 28]);
  return [
    chance.pick(['or', 'and', 'not.or']),
    `${'(and'.repeat(depth)}(${conditions.join(',')})${')'.repeat(depth)}`,
  ];
}

function outputs(collection: Collection, chance: Chance): string {
  const count = chance.pick([1, 2, 4, 10, 40, 100]);
  const [name] = field(collection, chance);
  const cast = chance.percent(50) ? `::${chance.pick(casts)}` : '';
  const aggregate = chance.percent(15) ? `.${chance.pick(['sum', 'avg', 'max', 'min', 'count'])}()` : '';
  const isSame = chance.percent(60);
  const items = Array.from({ length: count }, (_, n) => {
    const [other] = isSame ? [name] : field(collection, chance);
    return `c${n}:${other}${cast}${aggregate}`;
  });
  return (chance.percent(10) ? [...items, 'count()'] : items).join(',');
}

const order = (collection: Collection, chance: Chance): string =>
  Array.from({ length: chance.pick([1, 5, 50]) }, () => {
    const [name] = field(collection, chance);
    return `${name}${chance.pick(['', '.desc', '.asc.nullsfirst'])}`;
  }).join(',');
