/** Postgres has each operator of the table, for a column of one type at least. */
import { expect, it } from 'vitest';
import { operatorNames, rowOf } from '../../functions/request/operators.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const service = useService();

/** No column is a range. */
const usable = operatorNames.filter(name => rowOf(name)?.kind !== 'range');
/** A filter on a text, on an array and on a truth, with an operand that fits. */
const filters = (name: string): string[] => [
  `name=${name}.lion`,
  `name=${name}.(lion)`,
  `tags=${name}.{lion}`,
  `is_active=${name}.true`,
];

it.each(usable)('%s', async name => {
  const staff = callerOf(service, service.secretKey);
  const statuses = filters(name).map(async filter => (await staff.get(`/graphics?${filter}`)).status);
  expect(await Promise.all(statuses)).toContain(200);
});
