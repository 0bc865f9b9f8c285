/**
 * Certificates of `localhost` that sign themselves, in `certificates/`, with keys that protect nothing. They are valid for a
 * century. Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
 * -addext subjectAltName=DNS:localhost -keyout trusted-key.pem -out trusted.pem`.
 */
import { chmod, chown, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseRunAs } from '../../functions/local/run-as.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

const directory = fileURLToPath(new URL('certificates', import.meta.url));

export type Certificate = Awaited<ReturnType<typeof copyCertificate>>;

/** Copies one, with a key that only Postgres may read, as Postgres wants it. The tests' workers trust the one named so. */
export async function copyCertificate(name: 'trusted' | 'untrusted') {
  const copy = await makeTemporaryDirectory();
  const [path, key] = [join(copy.path, 'certificate.pem'), join(copy.path, 'key.pem')];
  await copyFile(join(directory, `${name}.pem`), path);
  await copyFile(join(directory, `${name}-key.pem`), key);
  await chmod(key, 0o600);
  const { ids } = await chooseRunAs('/bin/sh', copy.path);
  if (ids.uid !== undefined && ids.gid !== undefined) {
    await chown(key, ids.uid, ids.gid);
  }
  return { path, key, remove: copy.remove };
}
