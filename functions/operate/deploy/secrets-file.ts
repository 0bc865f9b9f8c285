/** The file of secrets: reads and checks it, and knows which worker gets which of them. */
import { readFileSync } from 'node:fs';
import { trustedBy } from '../../caller/token/signature.ts';
import { keyVariables } from '../../caller/unset-keys.ts';
import { keysOf } from '../../common/env.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { readRelay } from '../../delivery/mail-settings.ts';
import { parseUrl } from '../../delivery/web-address.ts';
import { parseSecrets } from './secrets-text.ts';
import { servingWorkers } from './workers.ts';

/** Secrets by name. */
export type Secrets = Record<string, string>;

/** The secrets of every worker that serves requests, and those of one worker. */
const shared = [...keyVariables.flat(), 'READ_KEY'];
const own: Record<string, readonly string[]> = { delivery: ['MAIL_URL'] };
const known = [...shared, ...Object.values(own).flat()];

/** Characters: 128 random bits after a prefix such as `sb_secret_`. */
const keyLength = 32;

/** Returns the secrets that a worker needs, of all in the file. */
export function secretsOf(worker: string, secrets: Secrets): Secrets {
  const needed = servingWorkers.includes(worker) ? [...shared, ...(own[worker] ?? [])] : [];
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => needed.includes(name)));
}

/** Returns the secrets of a file, or a line for each fault. The lines contain no value. */
export function readSecrets(path: string): Result<Secrets, string[]> {
  let content: Uint8Array;
  try {
    content = readFileSync(path);
  } catch (error) {
    return fail([`The file of secrets cannot be read: ${(error as Error).message}`]);
  }
  const secrets = parseSecrets(content);
  if (!secrets.ok) {
    return fail([`${path} ${secrets.failure}`]);
  }
  const faults = findFaults(secrets.value);
  return faults.length > 0 ? fail(faults.map(fault => `${path}: ${fault}`)) : ok(secrets.value);
}

function findFaults(secrets: Secrets): string[] {
  const unknown = Object.keys(secrets).filter(name => !known.includes(name));
  const missing = keyVariables.filter(names => !names.some(name => secrets[name]));
  const keys = ['PUBLISHABLE_KEY', 'SECRET_KEY', 'READ_KEY'].flatMap(name => keysOf(secrets[name]));
  return [
    ...unknown.map(name => `no worker has a secret ${name}. The secrets are ${known.join(', ')}.`),
    // Which keys the workers already have is not known here.
    ...missing.map(names => `${names.join(' or ')} is missing.`),
    ...known
      .filter(name => secrets[name] !== undefined)
      .flatMap(name => checkSecret(name, secrets[name] ?? '') ?? []),
    ...(new Set(keys).size < keys.length ? ['one key stands twice, and each must have one meaning.'] : []),
  ];
}

/** Returns the fault of a value. */
function checkSecret(name: string, value: string): string | undefined {
  if (value === '') {
    return keyVariables.some(([only, other]) => only === name && !other)
      ? undefined
      : `${name} is empty. Set it, or remove its line.`;
  }
  if (/<[\w ]*>/.test(value)) {
    return `${name} still has a placeholder.`;
  }
  if (value.trim() !== value || /\p{Cc}/u.test(value)) {
    return `${name} begins or ends with a blank, or has a control character.`;
  }
  switch (name) {
    case 'JWT_SECRET': {
      const { problem } = trustedBy({ JWT_SECRET: value });
      return problem && `${problem}.`;
    }
    case 'JWKS_URL':
      return parseUrl(value)?.protocol === 'https:'
        ? undefined
        : 'JWKS_URL must be an address that begins with https://.';
    case 'MAIL_URL': {
      const relay = readRelay(value);
      return relay.ok ? undefined : `${relay.failure}.`;
    }
    default:
      return checkKeys(name, keysOf(value));
  }
}

/** The beginnings that the keys of a setting must not have, since they are those of another. */
const foreign: Record<string, RegExp> = {
  PUBLISHABLE_KEY: /^sb_secret_/,
  SECRET_KEY: /^sb_(?:publishable|secret_read)_/,
  READ_KEY: /^sb_publishable_/,
};

function checkKeys(name: string, keys: string[]): string | undefined {
  if (keys.some(key => foreign[name]?.test(key))) {
    return `${name} has a key of another kind: publishable keys are public, and secret ones may do everything.`;
  }
  return keys.every(key => key.length >= keyLength && /^[\x21-\x7e]+$/.test(key))
    ? undefined
    : `${name} must have ${keyLength} or more printable ASCII characters a key. npm run deploy -- --init makes keys.`;
}
