/** A certificate of `localhost` that signs itself, made by openssl, with a key that Postgres may read. */
import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseRunAs } from '../../functions/local/run-as.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

export interface Certificate {
  path: string;
  key: string;
  remove(): Promise<void>;
}

export async function makeCertificate(): Promise<Certificate> {
  const directory = await makeTemporaryDirectory();
  const [path, key] = ['certificate.pem', 'key.pem'].map(name => join(directory.path, name)) as [
    string,
    string,
  ];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', path];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
    ...subject,
    ...files,
  ]);
  await chmod(key, 0o600);
  const { ids } = await chooseRunAs('/bin/sh', directory.path);
  if (ids.uid !== undefined && ids.gid !== undefined) {
    await chown(key, ids.uid, ids.gid);
  }
  return { path, key, remove: directory.remove };
}
