/** What the service relies on beyond the interfaces of its packages, and the versions whose code was read for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

export interface Reliance {
  package: string;
  version: string;
  /** The files that rely on it, and on what. */
  where: string;
  /** Arguments of `npm test`. */
  tests: string;
}

/** After an upgrade, read what is named here in the new version, run its tests, and write the new version. */
export const reliedOn: Reliance[] = [
  {
    package: 'postgres',
    version: '3.4.9',
    where:
      'functions/database/socket.ts (the option `socket`), functions/database/connection.ts (the property `origin` of a query) and functions/common/database-address.ts',
    tests: 'test/database test/faults test/costs',
  },
  {
    package: 'workerd',
    version: '1.20261117.1',
    where:
      'functions/database/socket.ts, functions/delivery/smtp.ts and functions/request/read-body.ts (ends of streams)',
    tests: 'test/database test/faults test/delivery test/local',
  },
  {
    package: 'miniflare',
    version: '4.20260426.0',
    where:
      'functions/local/worker.ts (options that begin with `unsafe`) and functions/local/worker-process.ts',
    tests: 'test/local',
  },
  {
    package: 'wrangler',
    version: '4.86.0',
    where: 'functions/local/deploy (the form of `secret list` and of its errors)',
    tests: 'test/deploy test/local/deploy test/local/wrangler-dev',
  },
  {
    package: '@supabase/supabase-js',
    version: '2.109.0',
    where: 'functions/local/bundle-demo.ts (which of its parts are not used)',
    tests: 'test/clients/demo',
  },
  {
    package: 'nodemailer',
    version: '10.6.0',
    where: 'functions/delivery (`lib/smtp-connection` and `lib/mime-node`)',
    tests: 'test/delivery',
  },
];

function readInstalledVersion(name: string): string {
  const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Returns a sentence for each package that is installed in another version than the one that was read. */
export const findUnreadVersions = (versionOf = readInstalledVersion): string[] =>
  reliedOn
    .filter(reliance => versionOf(reliance.package) !== reliance.version)
    .map(
      ({ package: name, version, where, tests }) =>
        `${name} ${versionOf(name)} is installed, but the code that relies on its inside was written for ${version}. Read ${where}, run npm test -- ${tests}, and write the version into functions/local/relied-on.ts.`,
    );
