/**
 * Plain lists of column names: `columns=name,code` and `on_conflict=code`
 * (https://docs.postgrest.org/en/stable/references/api/tables_views.html#specifying-columns). Order and repetitions are
 * kept.
 */
import { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import type { ParseError } from '../failure/parse-error.ts';
import { fieldName } from './field.ts';
import { parseWhole } from './scanner.ts';

/** Parses the value of `parameter`: one name or more. */
export const parseColumns = (
  parameter: 'columns' | 'on_conflict',
  text: string,
): Result<string[], ParseError> =>
  parseWhole(`${parameter} parameter`, text, s =>
    s.separated(fieldName, () => s.token(','), limits.query.listedColumns),
  );
