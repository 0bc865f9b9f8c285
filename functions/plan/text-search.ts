/** Validates full-text filters: the configuration must exist, and Postgres must be able to parse the query. */

import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import { tooMany } from '../request/excess.ts';
import type { Operation } from '../request/request.ts';

/** The configurations of every Postgres (https://www.postgresql.org/docs/current/textsearch-configuration.html). */
const configurations = new Set(
  `simple arabic armenian basque catalan danish dutch english estonian finnish french german greek hindi hungarian
  indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil
  turkish yiddish`.split(/\s+/),
);

/** Postgres's parser fails with an internal error when more operators than this are pending. */
const tooManyNegations = '!'.repeat(limits.search.negations + 1);

export function checkTextSearch(operation: Operation): Failure | undefined {
  if ('configuration' in operation && operation.configuration !== undefined) {
    const { configuration } = operation;
    if (!configurations.has(configuration.toLowerCase())) {
      return { is: 'unknown configuration', name: configuration };
    }
  }
  if (operation.operator !== 'fts') {
    return undefined;
  }
  // Postgres's parser recurses for each parenthesis.
  if (operation.value.split('(', limits.search.parentheses + 2).length > limits.search.parentheses + 1) {
    return tooMany('parentheses in a full-text query', limits.search.parentheses);
  }
  return operation.value.replace(/\s+/g, '').includes(tooManyNegations)
    ? tooMany('negations in a row', limits.search.negations)
    : undefined;
}
