/** The keys and passwords of a developer's machine, created once in a file that only its owner can read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProblemOf } from '../../sql/login-passwords.ts';
import { withData } from './data-directory.ts';
import { Problem } from './program.ts';

export interface Secrets {
  publishableKey: string;
  secretKey: string;
  /** At least 32 bytes. */
  jwtSecret: string;
  /** The password of the embedded Postgres's superuser. */
  ownerPassword: string;
  /** The password of `builder_api` and `builder_jobs`. */
  loginPassword: string;
}

const jwtSecretBytes = 32;

/**
 * Reads the secrets in a directory, or creates them there. Keys in the environment take precedence. Throws a Problem when
 * the directory cannot be used.
 */
export async function loadSecrets(directory: string, env = process.env): Promise<Secrets> {
  const { PUBLISHABLE_KEY: publishableKey, SECRET_KEY: secretKey, JWT_SECRET: jwtSecret } = env;
  const { API_DATABASE_PASSWORD: loginPassword } = env;
  if (jwtSecret && Buffer.byteLength(jwtSecret) < jwtSecretBytes) {
    throw new Problem(
      `JWT_SECRET has ${Buffer.byteLength(jwtSecret)} bytes; it needs at least ${jwtSecretBytes}.`,
    );
  }
  const problem = findProblemOf(loginPassword ?? '');
  if (problem !== undefined) {
    throw new Problem(`${problem}.`);
  }
  return {
    ...(await withData(directory, () => readOrCreate(directory))),
    ...(publishableKey && { publishableKey }),
    ...(secretKey && { secretKey }),
    ...(jwtSecret && { jwtSecret }),
    ...(loginPassword && { loginPassword }),
  };
}

async function readOrCreate(directory: string): Promise<Secrets> {
  const file = join(directory, 'secrets.json');
  const secrets = await read(file);
  if (secrets) {
    return secrets;
  }
  // Only the second names the reason why a disk that is only read has no such directory.
  await mkdir(directory, { recursive: true }).catch(() => mkdir(directory));
  // Linked once complete: a program that starts at the same time sees the whole file or no file, and the first one wins.
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(createSecrets(), undefined, 2)}\n`, { mode: 0o600 });
    await link(draft, file).catch(ignore('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  return readOrCreate(directory);
}

async function read(file: string): Promise<Secrets | undefined> {
  let text: string | undefined;
  try {
    text = await readFile(file, 'utf8').catch(ignore('ENOENT'));
  } catch (error) {
    // Not ENOTDIR: then there is no such directory.
    throw ['EACCES', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? damaged(file, (error as Error).message)
      : error;
  }
  return text === undefined ? undefined : parse(text, file);
}

/** Returns the secrets in a text, if all of them are there and can be used. */
function parse(text: string, file: string): Secrets {
  let secrets: Partial<Secrets> | null;
  try {
    secrets = JSON.parse(text);
  } catch (error) {
    throw damaged(file, (error as Error).message);
  }
  const invalid = Object.keys(createSecrets()).find(name => {
    const value: unknown = secrets?.[name as keyof Secrets];
    return typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value);
  });
  if (invalid !== undefined) {
    throw damaged(file, `it has no ${invalid}`);
  }
  if (Buffer.byteLength(secrets?.jwtSecret ?? '') < jwtSecretBytes) {
    throw damaged(file, `its jwtSecret has under ${jwtSecretBytes} bytes`);
  }
  return secrets as Secrets;
}

const damaged = (file: string, reason: string): Problem =>
  new Problem(
    `${file} cannot be used: ${reason}. Restore it, or remove it: then new keys and passwords are made, and the data is kept.`,
  );

function createSecrets(): Secrets {
  const random = () => randomBytes(jwtSecretBytes).toString('base64url');
  return {
    publishableKey: `sb_publishable_${random()}`,
    secretKey: `sb_secret_${random()}`,
    jwtSecret: random(),
    ownerPassword: random(),
    loginPassword: random(),
  };
}

const ignore = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) {
    throw error;
  }
  return undefined;
};
