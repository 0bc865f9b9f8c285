/** Sizes that stand in schema/ too agree with functions/common/limits.ts. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { databaseLimits } from '../../functions/database/database-limits.ts';
import { jsonObject } from '../../schema/json-types.ts';
import { price } from '../../schema/types.ts';

describe('the schema', () => {
  it('takes a JSON object as large as a body', () => {
    expect(jsonObject.maxBytes).toBe(limits.body.bytes);
  });

  it('takes a number as long as one in a body', () => {
    const zeros = (length: number) => '0'.repeat(length);
    expect(v.is(price.format, zeros(limits.body.numberLength))).toBe(true);
    expect(v.is(price.format, zeros(limits.body.numberLength + 1))).toBe(false);
    expect(v.is(price.format, `1e-${'9'.repeat(limits.body.exponentDigits)}`)).toBe(true);
    expect(v.is(price.format, `1e-${'9'.repeat(limits.body.exponentDigits + 1)}`)).toBe(false);
  });
});

describe('the times', () => {
  const { database, body, largeResponses, memory } = limits;
  const { deadline, retryWithin, hyperdrive, pool } = databaseLimits;

  it('let a statement end before the deadline of its message, and before its lease', () => {
    expect(deadline).toBeGreaterThan(database.statementTimeout);
    expect(hyperdrive.term).toBeGreaterThan(database.statementTimeout);
  });

  it('let a large body and a large response keep their memory for as long as they need it', () => {
    const request = pool.acquireTimeout + deadline + retryWithin;
    expect(memory.term).toBeGreaterThan(body.arrivalSeconds * 1000 + 2 * request);
    expect(memory.term).toBeGreaterThan(largeResponses.readSeconds * 1000 + request);
  });
});
