/** The keys and passwords of a developer's machine, created once in a file that only its owner can read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from './problem.ts';

export interface Secrets {
  publishableKey: string;
  secretKey: string;
  /** At least 32 bytes. */
  jwtSecret: string;
  /** The password of the embedded Postgres's superuser. */
  ownerPassword: string;
  /** The password of `builder_api`, `builder_sweeper` and `builder_deliverer`. */
  loginPassword: string;
}

const jwtSecretBytes = 32;

/**
 * Reads the secrets in a directory, or creates them there. Keys in the environment take precedence. Throws a Problem when
 * the directory cannot be used.
 */
export async function loadSecrets(directory: string, env = process.env): Promise<Secrets> {
  const { PUBLISHABLE_KEY: publishableKey, SECRET_KEY: secretKey, JWT_SECRET: jwtSecret } = env;
  if (jwtSecret && Buffer.byteLength(jwtSecret) < jwtSecretBytes) {
    throw new Problem(
      `JWT_SECRET has ${Buffer.byteLength(jwtSecret)} bytes; it needs at least ${jwtSecretBytes}.`,
    );
  }
  return {
    ...(await readOrCreate(directory).catch(error => {
      throw error instanceof Problem ? error : unusable(directory, error as Error);
    })),
    ...(publishableKey && { publishableKey }),
    ...(secretKey && { secretKey }),
    ...(jwtSecret && { jwtSecret }),
  };
}

const unusable = (directory: string, { message }: Error): Problem =>
  new Problem(
    `The directory ${directory} cannot be used: ${message}. Make it writable for this user, or name another one ` +
      'with -- --data <directory>.',
  );

async function readOrCreate(directory: string): Promise<Secrets> {
  const file = join(directory, 'secrets.json');
  const secrets = await read(file);
  if (secrets) {
    return secrets;
  }
  await mkdir(directory, { recursive: true });
  // Linked once complete: a program that starts at the same time sees the whole file or no file, and the first one wins.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(createSecrets(), undefined, 2)}\n`, { mode: 0o600 });
  await link(draft, file).catch(ignore('EEXIST'));
  await rm(draft);
  return readOrCreate(directory);
}

async function read(file: string): Promise<Secrets | undefined> {
  const text = await readFile(file, 'utf8').catch(ignore('ENOENT'));
  if (text === undefined) {
    return undefined;
  }
  const secrets = JSON.parse(text) as Partial<Secrets>;
  for (const name of Object.keys(createSecrets())) {
    if (!secrets[name as keyof Secrets]) {
      throw new Problem(`${file} has no ${name}; remove the directory to start over.`);
    }
  }
  return secrets as Secrets;
}

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
