/** A data directory for `npm start` over a database of the tests' cluster. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { loadSecrets } from '../../functions/local/secrets.ts';

/** Its secrets have the logins' password of the whole cluster, which the other tests use, and `npm start` sets. */
export async function keepLoginPassword(data: string): Promise<void> {
  await mkdir(data);
  const { loginPassword } = inject('postgres');
  const secrets = { ...(await loadSecrets(data, {})), loginPassword };
  await writeFile(join(data, 'secrets.json'), JSON.stringify(secrets));
}
