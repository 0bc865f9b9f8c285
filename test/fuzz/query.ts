/** Query strings that follow PostgREST's grammar, or almost do. */
import { operators, textSearchOperators } from '../../functions/request/operators.ts';
import type { Chance } from './chance.ts';
import { anyNumber, anyText, mutated } from './texts.ts';
import { anyKey, columnOf, fittingValue, namesOf, oddOr, type Subject } from './values.ts';

const valueFor = (subject: Subject, name: string): string =>
  subject.isWild && subject.chance.percent(50)
    ? anyText(subject.chance)
    : fittingValue(subject, name, columnOf(subject, name));

const anyName = (subject: Subject): string =>
  subject.isWild ? wildName(subject) : subject.chance.pick(readableNames(subject));

const readableNames = (subject: Subject): string[] =>
  subject.caller.kind === 'staff'
    ? namesOf(subject)
    : namesOf(subject).filter(name => columnOf(subject, name)?.privileges.customer.includes('select'));

const wildName = (subject: Subject): string =>
  subject.chance.weighted(
    [12, () => subject.chance.pick(namesOf(subject))],
    [
      1,
      () => subject.chance.pick(['internal_notes', 'deleted_at', 'ctid', 'xmin', 'tableoid', 'quotes', '*']),
    ],
    [0.5, () => `"${anyText(subject.chance)}"`],
    [0.5, () => anyText(subject.chance)],
    [0.5, () => mutated(subject.chance.pick(namesOf(subject)), subject.chance)],
  );

function anyField(subject: Subject): string {
  const { chance } = subject;
  const steps = chance.percent(subject.isWild ? 20 : 0)
    ? chance.several(1, chance.percent(3) ? 200 : 3, () => chance.pick(['->', '->>']) + anyStep(chance))
    : [];
  const name = steps.length > 0 && chance.percent(50) ? 'customization' : anyName(subject);
  return name + steps.join('');
}

const anyStep = (chance: Chance): string =>
  chance.weighted(
    [4, () => chance.pick(['team', 'primary', 'numbers', 'a', 'M'])],
    [2, () => anyNumber(chance)],
    [2, () => anyText(chance)],
    [1, () => `"${anyText(chance)}"`],
  );

const symbols = Object.keys(operators);
const searches = Object.keys(textSearchOperators);

/** `not.eq.5`, without the column. */
function anyOperation(subject: Subject, name: string): string {
  const { chance } = subject;
  const value = () => valueFor(subject, name);
  if (!subject.isWild) {
    return tameOperation(subject, name, value);
  }
  const quantifier = () => (chance.percent(15) ? chance.pick(['(any)', '(all)', '(some)']) : '');
  const operation = chance.weighted(
    [4, () => `eq.${value()}`],
    [6, () => `${chance.pick(symbols)}${quantifier()}.${value()}`],
    [1, () => `${chance.pick(symbols)}(any).{${chance.several(0, 4, value).join(',')}}`],
    [
      2,
      () => `in.(${chance.several(0, 5, () => (chance.percent(50) ? value() : `"${value()}"`)).join(',')})`,
    ],
    [1, () => `is.${chance.pick(['null', 'not_null', 'true', 'unknown', 'NULL', anyText(chance)])}`],
    [1, () => `${chance.pick(searches)}${chance.pick(['', '(english)', '(klingon)'])}.${value()}`],
    [0.5, () => `${anyText(chance)}.${value()}`],
  );
  return chance.percent(15) ? `not.${operation}` : operation;
}

function tameOperation({ chance, ...rest }: Subject, name: string, value: () => string): string {
  const type = columnOf({ chance, ...rest }, name)?.type.postgres ?? 'jsonb';
  const isJson = type === 'jsonb' || type === 'text[]';
  const operation = chance.pick([
    'is.null',
    `in.(${JSON.stringify(value())},"${value().replaceAll(/["\\]/g, '\\$&')}")`,
    ...(isJson ? [`cs.${value()}`, `cd.${value()}`] : [`eq.${value()}`, `gte.${value()}`, `lt.${value()}`]),
    ...(/text|char/.test(type)
      ? [`ilike.*${value().slice(0, 3)}*`, `match.^${value()}`, `fts.${value()}`]
      : []),
    ...(isJson ? [] : [`neq.${value()}`, `isdistinct.${value()}`]),
  ]);
  return chance.percent(15) ? `not.${operation}` : operation;
}

function anyTree(subject: Subject, depth = 0): string {
  const { chance } = subject;
  const conditions = chance.several(1, chance.percent(2) ? 120 : 3, () => {
    const field = anyField(subject);
    return depth < 3 && chance.percent(30)
      ? `${chance.pick(['and', 'or', 'not.and', 'not.or'])}${anyTree(subject, depth + 1)}`
      : `${field}.${anyOperation(subject, field)}`;
  });
  return `(${conditions.join(',')})`;
}

const casts = [
  'text',
  'int',
  'numeric',
  'jsonb',
  'uuid',
  'date',
  'regclass',
  'text[]',
  'char',
  'money',
  'tsvector',
  'bytea',
];

const anyOutput = (subject: Subject): string => {
  const { chance } = subject;
  const alias = chance.percent(15) ? `${oddOr(subject, 'alias')}:` : '';
  const cast = () =>
    subject.isWild && chance.percent(20)
      ? `::${chance.percent(90) ? chance.pick(casts) : anyText(chance)}`
      : '';
  const aggregate = chance.percent(subject.isWild ? 10 : 2)
    ? `.${chance.pick(['sum', 'avg', 'max', 'min', 'count'])}()`
    : '';
  return chance.weighted(
    [2, () => '*'],
    [8, () => alias + anyField(subject) + cast() + aggregate + cast()],
    [1, () => `${alias}count()${cast()}`],
    [
      0.5,
      () => `${chance.pick(['accounts', '...quotes', anyText(chance)])}(${chance.pick(['*', 'id', ''])})`,
    ],
  );
};

const anyOrder = (subject: Subject): string =>
  anyField(subject) +
  subject.chance.pick(subject.isWild ? ['', '.asc', '.sideways'] : ['', '.asc', '.desc']) +
  subject.chance.pick(['', '', '.nullsfirst', '.nullslast']);

/** A name and a value, not yet encoded. */
export function anyParameter(subject: Subject): [string, string] {
  const { chance, collection } = subject;
  const list = (make: () => string) => chance.several(1, chance.percent(2) ? 150 : 4, make).join(',');
  return chance.weighted<[string, string]>(
    [8, () => field(subject)],
    [4, () => [collection.primaryKey, `eq.${anyKey(subject)}`]],
    [
      3,
      () => [
        chance.pick(subject.isWild ? ['or', 'not.or', 'x.or'] : ['or', 'and', 'not.and']),
        anyTree(subject),
      ],
    ],
    [5, () => ['select', list(() => anyOutput(subject))]],
    [3, () => ['order', list(() => anyOrder(subject))]],
    [
      2,
      () => [
        chance.pick(['limit', 'offset']),
        chance.percent(60) ? chance.pick(['0', '1', '2', '5']) : anyNumber(chance),
      ],
    ],
    [subject.isWild ? 1 : 0, () => ['columns', list(() => anyName(subject))]],
    [
      subject.isWild ? 1 : 0,
      () => ['on_conflict', chance.percent(50) ? collection.primaryKey : list(() => anyName(subject))],
    ],
    [subject.isWild ? 0.5 : 0, () => [anyText(chance), anyText(chance)]],
  );
}

function field(subject: Subject): [string, string] {
  const { chance, isWild } = subject;
  const name = anyField(subject);
  const index = isWild && chance.percent(5) ? `[${chance.pick(['0', '1', '999', anyText(chance)])}]` : '';
  return [name + index, anyOperation(subject, name)];
}
