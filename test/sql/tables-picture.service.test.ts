/** sql/tables.svg is drawn from the database: `npm test -- test/sql/tables-picture -u` draws it again. */
import { expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { drawTables } from './draw-tables.ts';

const database = useDatabase();

it('the picture sql/tables.svg shows the tables that the migrations make, as -u draws it', async () => {
  await expect(await drawTables(database.sql)).toMatchFileSnapshot('../../sql/tables.svg');
});
