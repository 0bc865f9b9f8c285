/** The keys and passwords of a developer's machine: made once, kept in a file that only its owner can read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from './problem.ts';

export interface Secrets {
  publishableKey: string;
  secretKey: string;
  /** At least 32 bytes. */
  jwtSecret: string;
  /** Of the embedded Postgres's superuser. */
  ownerPassword: string;
  /** Of `builder_api` and `builder_sweeper`. */
  loginPassword: string;
}

const jwtSecretBytes = 32;

/** Reads the secrets kept in a directory, made there when missing; what the environment gives comes first. */
export async function loadSecrets(directory: string, env = process.env): Promise<Secrets> {
  const { PUBLISHABLE_KEY: publishableKey, SECRET_KEY: secretKey, JWT_SECRET: jwtSecret } = env;
  if (jwtSecret && Buffer.byteLength(jwtSecret) < jwtSecretBytes) {
    throw new Problem(
      `JWT_SECRET has ${Buffer.byteLength(jwtSecret)} bytes; it needs at least ${jwtSecretBytes}.`,
    );
  }
  return {
    ...(await readOrMake(directory)),
    ...(publishableKey && { publishableKey }),
    ...(secretKey && { secretKey }),
    ...(jwtSecret && { jwtSecret }),
  };
}

async function readOrMake(directory: string): Promise<Secrets> {
  const file = join(directory, 'secrets.json');
  const kept = await read(file);
  if (kept) {
    return kept;
  }
  await mkdir(directory, { recursive: true });
  // Written aside and linked: another program that starts now sees all of it or nothing, and the first one wins.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(makeSecrets(), undefined, 2)}\n`, { mode: 0o600 });
  await link(draft, file).catch(ignore('EEXIST'));
  await rm(draft);
  return readOrMake(directory);
}

async function read(file: string): Promise<Secrets | undefined> {
  const text = await readFile(file, 'utf8').catch(ignore('ENOENT'));
  if (text === undefined) {
    return undefined;
  }
  const kept = JSON.parse(text) as Partial<Secrets>;
  for (const name of Object.keys(makeSecrets())) {
    if (!kept[name as keyof Secrets]) {
      throw new Problem(`${file} has no ${name}; remove the file and its directory to start afresh.`);
    }
  }
  return kept as Secrets;
}

function makeSecrets(): Secrets {
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
