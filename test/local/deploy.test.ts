/** What `npm run deploy` says of what is missing, and what it gives to wrangler. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../functions/local/deploy/config.ts';
import { checkEnvironment, settingsOf } from '../../functions/local/deploy/environments.ts';
import { readEnvironments, readWranglerConfig } from '../../functions/local/deploy/read-config.ts';
import { findUnset } from '../../functions/local/deploy/secrets.ts';
import { describeState } from '../../functions/local/deploy/upload.ts';
import { servingWorkers, workers } from '../../functions/local/deploy/workers.ts';
import { anEnvironment } from '../setup/environments.ts';

const wranglerConfig = readWranglerConfig();

it('names a missing secret, where one of two is enough', () => {
  expect(findUnset('uniform-builder-live', ['SECRET_KEY', 'JWKS_URL'])).toEqual([
    expect.stringMatching(
      / has no PUBLISHABLE_KEY: npx wrangler secret put PUBLISHABLE_KEY --name uniform-builder-live$/,
    ),
  ]);
});

describe('an environment', () => {
  const production = anEnvironment(1);
  const staging = anEnvironment(2);
  const check = (changes: object) =>
    checkEnvironment({ production, staging: { ...staging, ...changes } }, 'staging');

  it('has every setting in the repository, and none is set', () => {
    const environments = readEnvironments();
    for (const name of ['production', 'staging']) {
      expect(Object.keys(environments[name] ?? {})).toEqual([...Object.keys(staging), 'vars']);
      expect(checkEnvironment(environments, name)).toEqual(
        Object.keys(staging).map(setting => expect.stringContaining(`${name} needs ${setting}, `)),
      );
    }
  });

  it.each([
    ['host', 'https://api.example.com'],
    ['location', 'frankfurt'],
    ['account_limit', 0],
  ])('needs a valid %s', (name, value) => {
    expect(check({ [name]: value })).toEqual([
      expect.stringMatching(`^.environments.toml: staging needs ${name}, `),
    ]);
  });

  it('shares neither its host, nor a database, nor counts', () => {
    const { host, hyperdrive, address_limit } = production;
    expect(check({ host, hyperdrive, account_limit: address_limit })).toEqual(
      ['host', 'hyperdrive', 'account_limit'].map(name =>
        expect.stringMatching(`staging needs its own ${name}: the .* of production has the same value`),
      ),
    );
    expect(check({ hyperdrive_jobs: staging.hyperdrive })).toHaveLength(2);
  });

  it('has no other settings, and is one of the file', () => {
    expect(check({ region: 'weur' })).toEqual([
      '.environments.toml: staging has an unknown setting, region.',
    ]);
    for (const name of ['stage', 'constructor']) {
      expect(checkEnvironment({ production, staging }, name)).toEqual([
        `.environments.toml has no [${name}]. Its environments: production, staging.`,
      ]);
    }
  });

  it.each(['Staging', '$(id)', '-a', ''])('is not named %j: its workers are named after it', name => {
    expect(checkEnvironment({ [name]: production }, name)).toEqual([
      expect.stringContaining('may only have small letters, digits and -'),
    ]);
  });
});

describe('the variables of an environment', () => {
  const check = (vars: unknown) =>
    checkEnvironment({ staging: { ...anEnvironment(2), vars } }, 'staging').map(line =>
      line.replace('.environments.toml: staging ', ''),
    );

  it('may each be set', () => {
    const vars = { JWT_AUDIENCE: 'authenticated', JWT_ISSUER: 'https://one.example.com/auth/v1' };
    expect(check({ ...vars, MAX_ROWS: '500', GRAPHICS_CACHE_SECONDS: '0', REFERENCE: 'off' })).toEqual([]);
  });

  it.each([
    ['JWT_ISSUER', ''],
    ['MAX_ROWS', 500],
    ['LIVE_OBJECTS', '101'],
    ['REFERENCE', 'false'],
  ])('have a value that the service reads: not %s = %j', (name, value) => {
    expect(check({ [name]: value })).toEqual([expect.stringMatching(`^needs vars.${name}, `)]);
  });

  it.each(['SECRET_KEY', 'constructor'])('are no others, which would be uploaded and printed: %s', name => {
    expect(check({ [name]: 'x' })).toEqual([
      `has an unknown variable, vars.${name}. Set secrets with npx wrangler secret put.`,
    ]);
  });

  it('are a table', () => {
    expect(check([])).toEqual(['needs vars to be a table.']);
  });
});

describe('the configuration of an environment', () => {
  const configured = (environment: string, vars: Record<string, string> = {}) =>
    configOf(
      wranglerConfig,
      environment,
      settingsOf({ [environment]: { ...anEnvironment(1), vars } }, environment),
    ).env;

  it('names the workers after it, and production as wrangler.toml does', () => {
    const names = (environment: string) => Object.values(configured(environment)).map(({ name }) => name);
    expect(names('production')).toEqual(workers.map(worker => wranglerConfig.env[worker]?.name));
    expect(names('staging')).toEqual(
      workers.map(worker => `uniform-builder-staging-${worker.replace('_', '-')}`),
    );
  });

  it('says everywhere where the database is, and to deliveries where the service is', () => {
    for (const [worker, { vars }] of Object.entries(configured('staging', { MAX_ROWS: '500' }))) {
      const address = worker === 'delivery' && { SERVICE_URL: 'https://one.example.com' };
      expect(vars).toEqual({ DATABASE_LOCATION: 'weur', MAX_ROWS: '500', ...address });
    }
  });

  it('has no zeros left: a Hyperdrive configuration for requests and live updates, and another for the jobs', () => {
    const { hyperdrive, hyperdrive_jobs, account_limit, address_limit } = anEnvironment(1);
    const envs = configured('staging');
    const ids = Object.entries(envs).map(([worker, env]) => [worker, env.hyperdrive?.map(({ id }) => id)]);
    expect(Object.fromEntries(ids)).toEqual({
      ...Object.fromEntries(servingWorkers.map(worker => [worker, [hyperdrive]])),
      delivery: [hyperdrive, hyperdrive_jobs],
      expiry: [hyperdrive_jobs],
    });
    const namespaces = Object.values(envs).flatMap(({ ratelimits = [] }) =>
      ratelimits.map(({ name, namespace_id }) => `${name} ${namespace_id}`),
    );
    expect(new Set(namespaces)).toEqual(
      new Set([`ACCOUNT_LIMIT ${account_limit}`, `ADDRESS_LIMIT ${address_limit}`]),
    );
  });

  it('keeps logs without the queries and headers of requests, and no traces', () => {
    const settings = settingsOf({ staging: anEnvironment(1) }, 'staging');
    const { observability, env } = configOf(wranglerConfig, 'staging', settings);
    expect(observability).toEqual({
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false },
      traces: { enabled: false },
    });
    expect(Object.values(env).filter(own => 'observability' in own)).toEqual([]);
  });

  const patterns = Object.entries(configured('production')).flatMap(([worker, { routes = [] }]) =>
    routes.map(({ pattern }) => ({ worker, pattern })),
  );

  /** The worker that Cloudflare calls: the longest route that matches the whole address. */
  function workerAt(address: string): string | undefined {
    const matching = patterns.filter(({ pattern }) =>
      pattern.endsWith('*') ? address.startsWith(pattern.slice(0, -1)) : address === pattern,
    );
    return matching.sort((one, other) => other.pattern.length - one.pattern.length)[0]?.worker;
  }

  it.each<[worker: string, ...paths: string[]]>([
    ['quotes', '/rest/v1/quotes', '/rest/v1/quotes?select=id', '/rest/v1/rpc/next_quote_number', '/health?x'],
    ['graphics', '/rest/v1/graphics?tags=cs.{animal}'],
    ['notifications', '/rest/v1/notifications?dismissed=is.false'],
    ['quotes', '/rest/v1/quote_events?quote_id=eq.1', '/rest/v1/quote_offers?quote_id=eq.1'],
    [
      'delivery',
      '/unsubscribe/c0000000-0000-4000-8000-000000000001.x',
      '/rest/v1/deliveries?x',
      '/rest/v1/rpc/redeliver',
    ],
    ['live', '/realtime/v1/websocket?apikey=key&vsn=1.0.0'],
    ['quotes', '/', '/?x', '/rest/v1/', '/rest/v1/openapi.json', '/reference/page.js'],
    ['quotes', '/rest/v1/orders?select=id', '/rest/v2/quotes', '/wp-login.php?x'],
  ])('lets %s answer %s', (worker, ...paths) => {
    expect(paths.map(path => workerAt(`one.example.com${path}`))).toEqual(paths.map(() => worker));
  });

  it('has no route that Cloudflare would prefer to a longer one', () => {
    const all = patterns.map(({ pattern }) => pattern);
    const hidden = all.filter(one => one.endsWith('/*') && all.includes(one.replace(/\/\*$/, '*')));
    expect(hidden).toEqual([]);
  });
});

it('a deployment that stopped says what is new, what is not, how to continue and how to roll back', () => {
  const lines = describeState(workers.slice(2), 'staging').split('\n');
  const [live, delivery] = ['live', 'delivery'].map(name => `uniform-builder-staging-${name}`);
  expect(lines[0]).toContain('uniform-builder-staging-quotes was not deployed');
  expect(lines[1]).toMatch(new RegExp(`^Unchanged: .*Deployed: ${live}, ${delivery}\\.$`));
  expect(lines.slice(2)).toEqual([
    'To continue: npm run deploy -- --env staging',
    'To roll back:',
    ...[delivery, live].map(name => `npx wrangler rollback --name ${name}`),
  ]);
});

describe('the workflow for CI', () => {
  const text = readFileSync(new URL('../../.github/workflows/deploy.yml', import.meta.url), 'utf8');

  it('is started by hand alone, for an environment of the file', () => {
    expect(/^on:\n((?: .*\n)*)/m.exec(text)?.[1]).toMatch(/^ {2}workflow_dispatch:\n {4}/);
    const offered = /options: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
    expect(offered.toSorted()).toEqual(Object.keys(readEnvironments()).toSorted());
  });

  it('migrates before it deploys, and only when nothing is missing', () => {
    const scripts = [...text.matchAll(/npm run (.*)/g)].map(([, script]) => script);
    expect(scripts).toEqual([
      'deploy -- --env "$ENVIRONMENT" --check',
      'migrate',
      'deploy -- --env "$ENVIRONMENT"',
      'smoke -- "$ADDRESS"',
    ]);
  });
});
