/** What `npm run deploy` says of what is missing, and what it gives to wrangler. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../functions/operate/deploy/config.ts';
import { checkEnvironment, settingsOf } from '../../functions/operate/deploy/environments.ts';
import { checkHyperdrive } from '../../functions/operate/deploy/hyperdrives.ts';
import { readEnvironments, readWranglerConfig } from '../../functions/operate/deploy/read-config.ts';
import { readSecrets, secretsOf } from '../../functions/operate/deploy/secrets-file.ts';
import { servingWorkers, workers } from '../../functions/operate/deploy/workers.ts';
import { runProgram } from '../local/program.ts';
import { anEnvironment } from '../setup/environments.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const wranglerConfig = readWranglerConfig();

describe('a file of secrets', () => {
  const directory = use(makeTemporaryDirectory, 'remove');
  const read = (content: string | Uint8Array) => {
    const path = join(directory.path, 'secrets');
    writeFileSync(path, content);
    const secrets = readSecrets(path);
    return secrets.ok ? secrets.value : secrets.failure.map(line => line.replace(path, 'It'));
  };

  const key = (prefix: string) => `${prefix}_${'s3cr3t'.repeat(5)}`;
  const shared = {
    PUBLISHABLE_KEY: key('sb_publishable'),
    SECRET_KEY: key('sb_secret'),
    JWKS_URL: 'https://login.example.com/keys',
  };
  const all = { ...shared, MAIL_URL: 'smtps://user:pa%23ss@relay.example.com' };
  const linesOf = (secrets: object, end = '\n') =>
    Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}${end}`)
      .join('');
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each<[what: string, content: string | Uint8Array]>([
    ['JSON', JSON.stringify(all)],
    ['NAME=value lines', linesOf(all)],
    ['lines for a shell', linesOf(all).replace(/^(\w+)=(.*)$/gm, "export $1='$2' # kept")],
    ['UTF-8 with a byte order mark', `\ufeff${linesOf(all)}`],
    ['UTF-16, as PowerShell writes it', utf16(linesOf(all, '\r\n'))],
  ])('may be %s', (_, content) => {
    expect(read(content)).toEqual(all);
  });

  it('keeps a # within a value', () => {
    const JWT_SECRET = `s3cr3t#${'x'.repeat(32)}`;
    expect(read(linesOf({ ...shared, JWT_SECRET }))).toEqual({ ...shared, JWT_SECRET });
  });

  it('gives each worker only the secrets that it needs', () => {
    expect(Object.fromEntries(workers.map(worker => [worker, secretsOf(worker, all)]))).toEqual({
      ...Object.fromEntries(servingWorkers.map(worker => [worker, shared])),
      delivery: all,
      expiry: {},
    });
  });

  it.each<[what: string, content: string | Uint8Array, line: string]>([
    ['an array', '["s3cr3t"]', 'It must be a JSON object of texts.'],
    ['a comma too many', '{\n"SECRET_KEY": "s3cr3t",\n}', 'It is not valid JSON at line 3.'],
    [
      'a name twice',
      'SECRET_KEY=s3cr3t\nexport SECRET_KEY=s3cr3t',
      'It has SECRET_KEY twice, again in line 2.',
    ],
    ['YAML', 'SECRET_KEY: s3cr3t', 'It has no NAME=value in line 1.'],
    ...['s3cr3t # old', '"s3cr3t', '#s3cr3t'].map((value): [string, string, string] => [
      `the value ${value}`,
      `A=1\nSECRET_KEY=${value}`,
      'It has a value in line 2 that needs quotes around all of it, since it has a quote, a \\, or a # after a blank.',
    ]),
  ])('is refused in a sentence, without its values, with %s', (_, content, line) => {
    expect(read(content)).toEqual([line]);
  });

  it.each<[secrets: Record<string, string | undefined>, sentence: string]>([
    [{ SECRET_KEYS: 's3cr3t' }, 'no worker has a secret SECRET_KEYS.'],
    [{ SECRET_KEY: '' }, 'SECRET_KEY is missing.'],
    [{ SECRET_KEY: 'sb_secret_s3cr3t' }, 'SECRET_KEY must have 32 or more'],
    [{ SECRET_KEY: `${shared.SECRET_KEY}\n` }, 'SECRET_KEY begins or ends with a blank'],
    [{ SECRET_KEY: key('sb_secret_read') }, 'SECRET_KEY has a key of another kind'],
    [{ READ_KEY: shared.SECRET_KEY }, 'one key stands twice'],
    [{ JWT_SECRET: 's3cr3t' }, 'JWT_SECRET has fewer than 32 bytes.'],
    [{ MAIL_URL: 'smtps://s3cr3t:pa#ss@relay.example.com' }, 'MAIL_URL is not of the form'],
  ])('is refused with %j, without the value', (changes, sentence) => {
    const faults = read(JSON.stringify({ ...shared, ...changes }));
    expect(faults).toEqual([expect.stringContaining(`It: ${sentence}`)]);
    expect(JSON.stringify(faults)).not.toContain('s3cr3t');
  });
});

it('a Hyperdrive configuration cannot be that of both logins', async () => {
  const one = { ...anEnvironment(1), hyperdrive_jobs: anEnvironment(1).hyperdrive };
  expect((await checkHyperdrive(settingsOf({ one }, 'one'), undefined)).faults).toEqual([
    'hyperdrive and hyperdrive_jobs need two Hyperdrive configurations, since a configuration has one login.',
  ]);
});

describe('an environment', () => {
  const production = anEnvironment(1);
  const staging = anEnvironment(2);
  const check = (changes: object) =>
    checkEnvironment({ production, staging: { ...staging, ...changes } }, 'staging');

  it('has every setting in the file of the repository', () => {
    for (const own of Object.values(readEnvironments())) {
      expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(staging)));
    }
  });

  it('says of each setting that is empty what it must be', () => {
    const empty = Object.fromEntries(Object.keys(staging).map(setting => [setting, '']));
    expect(checkEnvironment({ staging: empty }, 'staging')).toEqual(
      Object.keys(staging).map(setting => expect.stringContaining(`staging needs ${setting}, `)),
    );
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

  it('shares neither its host nor counts, but may share Hyperdrive configurations', () => {
    const { host, hyperdrive, address_limit } = production;
    expect(check({ host, hyperdrive, account_limit: address_limit })).toEqual(
      ['host', 'account_limit'].map(name =>
        expect.stringMatching(`staging needs its own ${name}: the .* of production has the same value`),
      ),
    );
    expect(check({ account_limit: staging.address_limit })).toHaveLength(2);
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

  it.each(['Staging', ''])('is not named %j: its workers are named after it', name => {
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

  it.each([
    ['MAX_ROWS', 500],
    ['LIVE_OBJECTS', '101'],
  ])('have a value that the service reads: not %s = %j', (name, value) => {
    expect(check({ [name]: value })).toEqual([expect.stringMatching(`^needs vars.${name}, `)]);
  });

  it('are no others, which would be uploaded and printed', () => {
    expect(check({ SECRET_KEY: 'x' })).toEqual([
      'has an unknown variable, vars.SECRET_KEY. Secrets belong in the file of --secrets-file.',
    ]);
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

  const all = Object.entries(configured('production')).flatMap(([worker, { routes = [] }]) =>
    routes.map(route => (typeof route === 'string' ? { worker, pattern: route } : { worker, domain: route })),
  );
  const patterns = all.flatMap(({ worker, pattern }) => (pattern ? [{ worker, pattern }] : []));

  it('has one Custom Domain, and routes for https alone', () => {
    expect(all.flatMap(({ domain }) => domain ?? [])).toEqual([
      { pattern: 'one.example.com', custom_domain: true },
    ]);
    expect(patterns.filter(({ pattern }) => !pattern.startsWith('https://one.example.com/'))).toEqual([]);
  });

  /** The worker that Cloudflare calls: that of the longest route that matches the whole address, or of the Custom Domain. */
  function workerAt(address: string): string | undefined {
    const matching = patterns.filter(({ pattern }) =>
      pattern.endsWith('*') ? address.startsWith(pattern.slice(0, -1)) : address === pattern,
    );
    const [first] = matching.sort((one, other) => other.pattern.length - one.pattern.length);
    return (first ?? all.find(({ domain }) => domain))?.worker;
  }

  it.each<[worker: string, ...paths: string[]]>([
    ['quotes', '/rest/v1/quotes', '/rest/v1/quotes?select=id', '/rest/v1/rpc/next_quote_number', '/health?x'],
    ['graphics', '/rest/v1/graphics?tags=cs.{animal}'],
    ['quotes', '/rest/v1/quote_events?quote_id=eq.1', '/rest/v1/quote_offers?quote_id=eq.1'],
    ['delivery', '/unsubscribe/c0000000.x', '/rest/v1/deliveries?x', '/rest/v1/rpc/redeliver'],
    ['live', '/realtime/v1/websocket?apikey=key&vsn=1.0.0'],
    ['quotes', '/', '/?x', '/rest/v1/', '/rest/v1/openapi.json', '/reference/page.js'],
    ['quotes', '/rest/v1/orders?select=id', '/rest/v2/quotes', '/wp-login.php?x'],
  ])('lets %s answer %s', (worker, ...paths) => {
    expect(paths.map(path => workerAt(`https://one.example.com${path}`))).toEqual(paths.map(() => worker));
  });

  it('has no route that Cloudflare would prefer to a longer one', () => {
    const texts = patterns.map(({ pattern }) => pattern);
    const hidden = texts.filter(one => one.endsWith('/*') && texts.includes(one.replace(/\/\*$/, '*')));
    expect(hidden).toEqual([]);
  });
});

describe('the workflow for CI', () => {
  const text = readFileSync(new URL('../../.github/workflows/deploy.yml', import.meta.url), 'utf8');

  it('is started by hand alone, for an environment of the file', () => {
    expect(/^on:\n((?: .*\n)*)/m.exec(text)?.[1]).toMatch(/^ {2}workflow_dispatch:\n {4}/);
    const offered = /options: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
    expect(Object.keys(readEnvironments())).toEqual(expect.arrayContaining(offered));
    expect(offered.length).toBeGreaterThan(0);
  });

  it('migrates before it deploys, and only when nothing is missing', () => {
    const scripts = [...text.matchAll(/npm run (.*)/g)].map(([, script]) => script);
    const secrets = '$(test -s "$SECRETS_FILE" && echo --secrets-file "$SECRETS_FILE")';
    expect(scripts).toEqual([
      `deploy -- --env "$ENVIRONMENT" --check ${secrets}`,
      'migrate',
      `deploy -- --env "$ENVIRONMENT" ${secrets}`,
      'smoke -- "$ADDRESS"',
    ]);
  });
});

it('what is missing in another environment than production names commands for that environment', async () => {
  const directory = await makeTemporaryDirectory();
  const path = join(directory.path, 'weak.json');
  writeFileSync(path, JSON.stringify({ PUBLISHABLE_KEY: 'short', SECRET_KEY: 'short' }));
  const { code, stderr } = await runProgram('deploy', [
    '--check',
    '--env',
    'staging',
    '--secrets-file',
    path,
  ]);
  await directory.remove();
  expect(code).toBe(1);
  expect(stderr).toContain('npm run deploy -- --env staging --init makes keys');
});
