/** Query strings that follow PostgREST's grammar, or almost do. */
import fc from 'fast-check';
import { operators, textSearchOperators } from '../../functions/rest/request/operators.ts';
import { list, text, weighted } from './arbitraries.ts';
import { anyNumber, mutated, oddText } from './texts.ts';
import { anyKey, fittingValue, type Subject, typeOf } from './values.ts';

const none = fc.constant('');

/** The columns that the caller reads; all of them where it reads none, or asks for anything. */
function namesOf({ collection, caller, isWild }: Subject): string[] {
  const all = Object.keys(collection.columns);
  const read = all.filter(name => collection.columns[name]?.privileges.customer.includes('select'));
  return isWild || caller.kind === 'staff' || read.length === 0 ? all : read;
}

function anyName(subject: Subject): fc.Arbitrary<string> {
  const known = fc.constantFrom(...namesOf(subject));
  return subject.isWild
    ? weighted(
        [24, known],
        [2, fc.constantFrom('internal_notes', 'deleted_at', 'ctid', 'xmin', 'tableoid', 'quotes', '*')],
        [1, text`"${oddText}"`],
        [1, oddText],
        [1, mutated(known)],
      )
    : known;
}

const step = text`${fc.constantFrom('->', '->>')}${weighted(
  [4, fc.constantFrom('team', 'primary', 'numbers', 'a', 'M')],
  [2, anyNumber],
  [2, oddText],
  [1, text`"${oddText}"`],
)}`;
const path = weighted([97, list(step, 3, '')], [3, list(step, 200, '')]);

/** A name, in a wild request also with a path into its JSON. */
function anyField(subject: Subject): fc.Arbitrary<string> {
  const name = anyName(subject);
  return subject.isWild
    ? weighted([8, name], [1, text`${name}${path}`], [1, text`customization${path}`])
    : name;
}

/** `not.eq.5`, without the column. */
function anyOperation(subject: Subject, name: string): fc.Arbitrary<string> {
  const value = fittingValue(subject, name);
  const operation = subject.isWild
    ? wildOperation(fc.oneof(oddText, value))
    : tameOperation(value, typeOf(subject, name));
  return weighted([85, operation], [15, text`not.${operation}`]);
}

const symbol = fc.constantFrom(...Object.keys(operators));
const search = fc.constantFrom(...Object.keys(textSearchOperators));
const quantifier = weighted([85, none], [15, fc.constantFrom('(any)', '(all)', '(some)')]);
const language = fc.constantFrom('', '(english)', '(klingon)');

function wildOperation(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const listed = fc.oneof(none, list(fc.oneof(value, text`"${value}"`), 5));
  return weighted(
    [8, text`eq.${value}`],
    [12, text`${symbol}${quantifier}.${value}`],
    [2, text`${symbol}(any).{${listed}}`],
    [4, text`in.(${listed})`],
    [2, text`is.${fc.oneof(fc.constantFrom('null', 'not_null', 'true', 'unknown', 'NULL'), oddText)}`],
    [2, text`${search}${language}.${value}`],
    [1, text`${oddText}.${value}`],
  );
}

function tameOperation(value: fc.Arbitrary<string>, type: string): fc.Arbitrary<string> {
  const starts = /^(?:jsonb|text\[\])$/.test(type)
    ? ['cs.', 'cd.']
    : ['eq.', 'gte.', 'lt.', 'neq.', 'isdistinct.', ...(/text|char/.test(type) ? ['match.^', 'fts.'] : [])];
  const quoted = value.map(one => `"${one.replaceAll(/["\\]/g, '\\$&')}"`);
  return weighted(
    [1, fc.constant('is.null')],
    [1, text`in.(${quoted},${quoted})`],
    [starts.length, text`${fc.constantFrom(...starts)}${value}`],
    [/text|char/.test(type) ? 1 : 0, value.map(one => `ilike.*${one.slice(0, 3)}*`)],
  );
}

type Parameter = [name: string, value: string];

const conditionOf = (subject: Subject): fc.Arbitrary<Parameter> =>
  fc.oneof(...namesOf(subject).map(name => fc.tuple(fc.constant(name), anyOperation(subject, name))), {
    weight: subject.isWild ? 10 : 0,
    arbitrary: fc.tuple(anyField(subject), anyOperation(subject, '')),
  });

function anyTree(condition: fc.Arbitrary<string>, depth = 0): fc.Arbitrary<string> {
  const inner = weighted(
    [7, condition],
    [3, depth < 3 ? text`${junction}${anyTree(condition, depth + 1)}` : condition],
  );
  return text`(${weighted([98, list(inner, 3)], [2, list(inner, 120)])})`;
}
const junction = fc.constantFrom('and', 'or', 'not.and', 'not.or');

const castType = fc.constantFrom(
  ...['text', 'name', 'char', 'bytea', 'uuid', 'boolean', 'regclass', 'text[]', 'tsvector', 'tsquery'],
  ...['int', 'numeric', 'money', 'json', 'jsonb', 'date', 'timestamptz', 'timetz', 'interval'],
);

function anyOutput({ isWild }: Subject, field: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const alias = weighted([85, none], [15, text`${isWild ? oddText : fc.constant('alias')}:`]);
  const cast = isWild ? weighted([80, none], [18, text`::${castType}`], [2, text`::${oddText}`]) : none;
  const name = text`.${fc.constantFrom('sum', 'avg', 'max', 'min', 'count')}()`;
  const aggregate = weighted([isWild ? 90 : 98, none], [isWild ? 10 : 2, name]);
  const embedded = fc.oneof(fc.constantFrom('accounts', '...quotes'), oddText);
  return weighted(
    [4, fc.constant('*')],
    [16, text`${alias}${field}${cast}${aggregate}${cast}`],
    [2, text`${alias}count()${cast}`],
    [1, text`${embedded}(${fc.constantFrom('*', 'id', '')})`],
  );
}

/** A name and a value, not yet encoded. */
export function anyParameter(subject: Subject): fc.Arbitrary<Parameter> {
  const { collection, isWild } = subject;
  const [field, condition] = [anyField(subject), conditionOf(subject)];
  const index = text`[${fc.oneof(fc.constantFrom('0', '1', '999'), oddText)}]`;
  const indexed = fc.tuple(condition, index).map(([[name, value], at]): Parameter => [name + at, value]);
  const tree = anyTree(condition.map(parts => parts.join('.')));
  const logic = fc.constantFrom(...(isWild ? ['or', 'not.or', 'x.or'] : ['or', 'and', 'not.and']));
  const direction = fc.constantFrom('', '.asc', isWild ? '.sideways' : '.desc');
  const order = text`${field}${direction}${fc.constantFrom('', '', '.nullsfirst', '.nullslast')}`;
  const number = fc.oneof(fc.constantFrom('0', '1', '2', '5'), anyNumber);
  const some = (item: fc.Arbitrary<string>) => weighted([98, list(item, 4)], [2, list(item, 150)]);
  const names = some(anyName(subject));
  const key = fc.constant(collection.primaryKey);
  const wild = isWild ? 1 : 0;
  return weighted<Parameter>(
    [16, condition],
    [wild, indexed],
    [8, fc.tuple(key, text`eq.${anyKey(subject)}`)],
    [6, fc.tuple(logic, tree)],
    [10, fc.tuple(fc.constant('select'), some(anyOutput(subject, field)))],
    [6, fc.tuple(fc.constant('order'), some(order))],
    [4, fc.tuple(fc.constantFrom('limit', 'offset'), number)],
    [2 * wild, fc.tuple(fc.constant('columns'), names)],
    [2 * wild, fc.tuple(fc.constant('on_conflict'), fc.oneof(key, names))],
    [wild, fc.tuple(oddText, oddText)],
  );
}
