/**
 * The code that relies on more than the interfaces of its packages, and the versions with which its tests passed. With another
 * version, run these tests; when they pass, write the version here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

const reliedOn: { package: string; version: string; where: string; tests: string }[] = [
  {
    package: 'postgres',
    version: '3.4.9',
    where:
      'functions/database/postgres-socket.ts, functions/database/connection.ts and functions/database/database-address.ts',
    tests: 'test/database test/faults test/costs',
  },
  {
    package: 'workerd',
    version: '1.20261117.1',
    where:
      'functions/database/{postgres-socket,isolate-channel}.ts, functions/delivery/smtp.ts and functions/rest/request/read-body.ts',
    tests: 'test/database test/faults test/delivery test/local test/operate',
  },
  {
    package: 'miniflare',
    version: '4.20260426.0',
    where: 'functions/local/{miniflare,worker,worker-process}.ts',
    tests: 'test/local test/operate',
  },
  {
    package: 'wrangler',
    version: '4.86.0',
    where: 'functions/operate/deploy',
    tests: 'test/deploy test/operate/deploy test/local/wrangler-dev',
  },
  {
    package: 'nodemailer',
    version: '10.6.0',
    where: 'functions/delivery',
    tests: 'test/delivery',
  },
];

function readInstalledVersion(name: string): string {
  const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Prints a warning for each package that is installed in another version. It prevents nothing. */
export function warnOfOtherVersions(versionOf = readInstalledVersion): void {
  for (const { package: name, version, where, tests } of reliedOn) {
    if (versionOf(name) !== version) {
      console.warn(
        `Warning: ${name} ${versionOf(name)} is installed; ${where} was tested with ${version}. FULL_SIZE=1 npm test -- ${tests}`,
      );
    }
  }
}
