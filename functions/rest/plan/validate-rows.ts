/** Validates a body against the schema. Collects all issues, each with its path and SQLSTATE. */
import * as v from 'valibot';
import type { Collection, Column } from '../../../schema/collection.ts';
import { issueLimit } from '../../../schema/column-type.ts';
import { readFormatError } from '../../../schema/format-error.ts';
import { absent, type BodyIssue } from '../../common/failure/issue.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import type { Body, BodyRow } from '../request/request.ts';
import { findUnstorable, mayBeUnstorable, rowsAsWritten } from './as-written.ts';
import { MalformedJson } from './read-cells.ts';
import type { BodyUse, Missing } from './write.ts';

export function validateRows(
  body: Body,
  columns: string[],
  use: BodyUse,
  collection: Pick<Collection, 'columns'>,
): BodyIssue[] {
  const required = use.privilege === 'insert' || use.upsert ? requiredColumns(collection) : [];
  const missingColumns = required.filter(name => !columns.includes(name));
  const issues: BodyIssue[] = [];
  const mayHaveBadText = mayBeUnstorable(body);
  for (const [index, row] of rowsAsWritten(body, columns, collection).entries()) {
    const at = body.isArray ? { row: index } : {};
    for (const name of missingColumns) {
      issues.push({ ...at, path: name, ...absent });
    }
    for (const name of columns) {
      const column = collection.columns[name];
      const unstorable = mayHaveBadText ? findUnstorable(row[name], name) : undefined;
      if (unstorable !== undefined) {
        const { path, isKey, sqlstate } = unstorable;
        const shownPath = shorten(path, limits.body.shownPath);
        issues.push({ ...at, path: shownPath, ...(isKey ? badKey : badText), sqlstate });
        continue;
      }
      // The text of a number has no quotes in the issue, unlike a text that was sent.
      const asNumber = typeof body.rows[index]?.[name] === 'number' && {
        received: shorten(String(row[name]), limits.body.shownValue),
      };
      for (const issue of column ? validateValue(row, name, column, use.missing) : []) {
        issues.push({ ...at, ...issue, ...asNumber });
      }
    }
    if (issues.length >= issueLimit) {
      break;
    }
  }
  return issues.slice(0, issueLimit);
}

const badText = {
  expected: 'a text without NUL characters or unpaired surrogates',
  received: 'a text with one of these',
};
const badKey = {
  expected: 'an object whose keys have no NUL characters or unpaired surrogates',
  received: 'an object with such a key',
};

/** Returns the columns that a new row must have. */
export const requiredColumns = (collection: Pick<Collection, 'columns'>): string[] =>
  Object.keys(collection.columns).filter(name => {
    const column = collection.columns[name];
    return column && !column.nullable && column.default === undefined;
  });

function validateValue(row: BodyRow, name: string, column: Column, missing: Missing): BodyIssue[] {
  const isPresent = Object.hasOwn(row, name);
  const { nullable, type } = column;
  const given = isPresent ? row[name] : null;
  const value = given === '' && nullable && type.emptyIsNull ? null : given;
  if (!isPresent && (missing === 'kept' || (missing === 'default' && column.default !== undefined))) {
    return [];
  }
  if (value === null) {
    const received = isPresent ? 'null' : 'nothing';
    return nullable ? [] : [{ path: name, expected: 'a value', received, sqlstate: '23502' }];
  }
  if (value instanceof MalformedJson) {
    const received = shorten(JSON.stringify(value.text), limits.body.shownValue);
    return [{ path: name, expected: 'valid JSON', received, sqlstate: '22P02' }];
  }
  const result = v.safeParse(type.format, value, { abortPipeEarly: true });
  return result.success ? [] : result.issues.map(issue => describe(issue, name));
}

function describe(issue: v.BaseIssue<unknown>, name: string): BodyIssue {
  const { sqlstate, expected } = readFormatError(issue.message);
  const inner = v.getDotPath(issue);
  return {
    path: shorten(inner === null ? name : `${name}.${inner}`, limits.body.shownPath),
    expected,
    received: shorten(issue.received, limits.body.shownValue),
    sqlstate,
  };
}
