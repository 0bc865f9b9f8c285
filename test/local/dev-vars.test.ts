/** The text of .dev.vars that `npm run setup:dev` writes. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { databasePortOf, setVariables } from '../../functions/local/dev-vars.ts';
import { variablesOf } from '../../functions/local/variables.ts';

const keys = { publishableKey: 'sb_publishable_a', secretKey: 'sb_secret_b', jwtSecret: 'c' };
const secrets = { ...keys, ownerPassword: 'd', loginPassword: 'e' };
const variables = variablesOf('postgres://postgres:d@127.0.0.1:4321/postgres', secrets);

describe('the variables of `wrangler dev`', () => {
  it('are those of .dev.vars.example', () => {
    const example = readFileSync(new URL('../../.dev.vars.example', import.meta.url), 'utf8');
    expect(Object.keys(parseEnv(example)).sort()).toEqual(Object.keys(variables).sort());
  });

  it('are read back as they were written', () => {
    const values = { ...variables, SPACED: ' a b ', HASH: 'a#b #c', QUOTE: `it's "x"`, DOLLAR: '$A\\n' };
    expect(parseEnv(setVariables('', values))).toEqual(values);
  });
});

describe('a file that exists', () => {
  const before = "# Mine.\nMAX_ROWS=5\n\nSECRET_KEY='old'\nexport LOCAL = 0\n";

  it('keeps its other lines, and is the same when it is written again', () => {
    const changed = setVariables(before, { SECRET_KEY: 'new', LOCAL: '1' });
    expect(changed).toBe("# Mine.\nMAX_ROWS=5\nSECRET_KEY='new'\nLOCAL='1'\n");
    const after = setVariables(before, variables);
    expect(setVariables(after, variables)).toBe(after);
  });

  it('says at which port the database was', () => {
    expect(databasePortOf(setVariables(before, variables))).toBe(4321);
    expect(databasePortOf(before)).toBeUndefined();
    expect(databasePortOf("DATABASE_URL='postgres://a:b@db.example:5432/c'\n")).toBeUndefined();
  });
});
