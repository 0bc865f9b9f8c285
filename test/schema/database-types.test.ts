/** The types for applications. `npm test -- test/schema/database-types -u` writes schema/database.types.ts. */
import { expect, it } from 'vitest';
import { described } from '../../functions/app/described.ts';
import { describeTypes } from '../../functions/rest/describe/describe-types.ts';

it('the types for applications are those of the collections and functions: schema/database.types.ts', async () => {
  const types = describeTypes(described, 'staff');
  await expect(types).toMatchFileSnapshot('../../schema/database.types.ts');
});
