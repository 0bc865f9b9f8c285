/** Query strings that cause as much work as a URL has room for: long, wide, deep, or all of it. */
import fc from 'fast-check';
import { operators, textSearchOperators } from '../../functions/request/operators.ts';
import type { Audience, Collection } from '../../schema/collection.ts';
import { list, text, weighted } from './arbitraries.ts';
import { expressions, jsons, type Maker, made, makersOf, searches, texts } from './costly-values.ts';
import { castType } from './query.ts';

/** The collection, and the audience of the caller. */
export interface Scope {
  collection: Collection;
  audience: Audience;
}

/** Characters for all parameters together, so that the URL isn't refused for its length. */
const room = 12_000;

const language = fc.constantFrom('', '', '(english)', '(simple)', '(turkish)');

/** As much as there is room for, much, or little, so that each kind of cost is also tried alone. */
const anyLength = (most: number): fc.Arbitrary<number> =>
  fc.constantFrom(0.002, 0.01, 0.1, 0.5, 1).map(part => Math.floor(most * part));

type Parameter = [name: string, value: string];

export function costlyQuery(scope: Scope): fc.Arbitrary<string> {
  const parameter = weighted<Parameter>(
    [2, filter(scope, room)],
    [1, tree(scope)],
    [2, fc.tuple(fc.constant('select'), outputs(scope))],
    [1, fc.tuple(fc.constant('order'), order(scope))],
    [1, fc.tuple(fc.constantFrom('limit', 'offset'), fc.constantFrom('0', '1', '1000', '99999999'))],
  ).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return list(parameter, 3, '&').map(query => query.slice(0, room + 2000).replace(/%.?$/, ''));
}

/** Encodes only where necessary, since an encoded character takes three times the room. */
const encoded = (value: string): string => value.replace(/[^\w\-.~!*(),:;/?@$[\]{}|>]/gu, encodeURIComponent);

type Field = [written: string, type: string];

const ofQuotes = weighted<Field>(
  [1, fc.constant(['customization', 'jsonb'])],
  [1, fc.constant(['customization->a', 'jsonb'])],
  [2, fc.constant(['customization->>a', 'text'])],
  [1, fc.integer({ min: 1, max: 32 }).map((deep): Field => [`customization${'->a'.repeat(deep)}`, 'jsonb'])],
  [1, fc.constant(['customer_notes', 'text'])],
);

/** Mostly a column that this caller may read, and for quotes a large one. */
function field({ collection, audience }: Scope, isOneOfMany = false): fc.Arbitrary<Field> {
  const columns = Object.entries(collection.columns);
  const fields = (of: typeof columns) =>
    fc.constantFrom(...of.map(([name, { type }]): Field => [name, type.postgres]));
  const readable = columns.filter(([, { privileges }]) => privileges[audience].includes('select'));
  const any = weighted([95, fields(readable.length > 0 ? readable : columns)], [5, fields(columns)]);
  const large = collection.name === 'quotes' ? (isOneOfMany ? 97 : 65) : 0;
  return weighted([large, ofQuotes], [100 - large, any]);
}

const filter = (scope: Scope, most: number): fc.Arbitrary<Parameter> =>
  field(scope, most < 1000).chain(([name, type]) => fc.tuple(fc.constant(name), operation(type, most)));

function operation(type: string, most: number): fc.Arbitrary<string> {
  const value = (makers: readonly Maker[]) => made(makers, anyLength(most));
  const fitting = makersOf(type);
  const many = (makers: readonly Maker[]) =>
    fc.constantFrom(1, 5, 30, 300).chain(each => {
      const element = made(makers, fc.constant(each)).map(quoted);
      return anyLength(most).chain(length => {
        const count = Math.min(1000, Math.max(1, Math.floor(length / (each + 9))));
        return repeatedly(element, count).map(elements => elements.join(','));
      });
    });
  const isText = /text$|char/.test(type) ? 20 : 1;
  const isJson = /json|\[\]/.test(type) ? 20 : 1;
  const like = fc.constantFrom('like', 'ilike');
  const search = fc.constantFrom(...Object.keys(textSearchOperators));
  const written = weighted(
    [4 * isText, text`${like}.${value(texts)}`],
    [3 * isText, text`${like}(${fc.constantFrom('any', 'all')}).{${many(texts)}}`],
    [isText, text`${fc.constantFrom('match', 'imatch')}.${value(expressions)}`],
    [2 * isText, text`${search}${language}.${value(searches)}`],
    [5 * isJson, text`${fc.constantFrom('cs', 'cd', 'eq', 'ov')}.${value(jsons)}`],
    [20, text`${fc.constantFrom('eq', 'gt', 'lte')}(any).{${many(fitting)}}`],
    [40, text`in.(${many(fitting)})`],
    [20, text`${fc.constantFrom(...Object.keys(operators))}.${value(fitting)}`],
    [10, text`is.${fc.constantFrom('null', 'not_null', 'true')}`],
  );
  return weighted([85, written], [15, text`not.${written}`]);
}

const repeatedly = <T>(item: fc.Arbitrary<T>, count: number): fc.Arbitrary<T[]> =>
  fc.array(item, { minLength: count, maxLength: count });

/** Quotes an element of a list, which may have any character. */
const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** Many short filters, or a few long ones. */
function tree(scope: Scope): fc.Arbitrary<Parameter> {
  const conditions = fc
    .constantFrom(2, 10, 60, 190)
    .chain(count => repeatedly(filter(scope, Math.max(4, room / count - 40)), count));
  const depth = fc.constantFrom(0, 0, 5, 28);
  return fc
    .tuple(fc.constantFrom('or', 'and', 'not.or'), conditions, depth)
    .map(([name, all, deep]) => [
      name,
      `${'(and'.repeat(deep)}(${all.map(inTree).join(',')})${')'.repeat(deep)}`,
    ]);
}

function inTree([name, value]: Parameter): string {
  const [, start = '', operand = ''] = /^((?:not\.)?\w+(?:\([a-z]+\))?\.)(.*)$/s.exec(value) ?? [];
  return `${name}.${start}${/in\.$|is\.$|y\)\.$|ll\)\.$/.test(start) ? operand : quoted(operand)}`;
}

function outputs(scope: Scope): fc.Arbitrary<string> {
  const aggregates = fc.constantFrom('max', 'min', 'count', 'count', 'sum').map(name => `.${name}()`);
  const ends = fc.tuple(
    weighted([50, fc.constant('')], [50, text`::${castType}`]),
    weighted([85, fc.constant('')], [15, aggregates]),
  );
  const count = fc.constantFrom(1, 2, 4, 10, 40, 100);
  const fields = count.chain(many =>
    weighted(
      [6, field(scope).map(one => Array<Field>(many).fill(one))],
      [4, repeatedly(field(scope, true), many)],
    ),
  );
  const items = fc
    .tuple(fields, ends)
    .map(([all, end]) => all.map(([name], n) => `c${n}:${name}${end.join('')}`).join(','));
  return weighted([9, items], [1, text`${items},count()`]);
}

const order = (scope: Scope): fc.Arbitrary<string> =>
  fc
    .constantFrom(1, 5, 50)
    .chain(count => repeatedly(text`${field(scope).map(([name]) => name)}${direction}`, count))
    .map(columns => columns.join(','));
const direction = fc.constantFrom('', '.desc', '.asc.nullsfirst');
