/** What `npm run deploy` says of a deployment that does not have all that the collections need. */
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../functions/local/deploy/deployment.ts';
import { checkIds } from '../../functions/local/deploy/ids.ts';
import { readDeployment } from '../../functions/local/deploy/read-deployment.ts';
import { checkRoutes } from '../../functions/local/deploy/routes.ts';
import { findMissing, workers } from '../../functions/local/deploy/workers.ts';

const complete = readDeployment();
const already = findMissing(complete);
/** What it says of a change alone. */
const findNew = (deployment: Deployment): string[] =>
  findMissing(deployment).filter(message => !already.includes(message));
const withEnv = (name: string, changes: object, deployment = complete): Deployment => ({
  ...deployment,
  envs: { ...deployment.envs, [name]: { ...deployment.envs[name], ...changes } },
});

describe('the workers', () => {
  it('are those of live updates, of the collections, of the reference and of the cron', () => {
    expect(workers[0]).toBe('live');
    expect(workers).toEqual(expect.arrayContaining(['quotes', 'graphics', 'notifications']));
    expect(workers.slice(-2)).toEqual(['reference', 'expiry']);
  });
});

describe('a missing', () => {
  it('entry is named, with the text it must have', () => {
    const readEntry = (file: string) => (file === 'graphics.ts' ? undefined : complete.readEntry(file));
    expect(findNew({ ...complete, readEntry })).toEqual([
      `functions/graphics.ts must read:

import { graphics } from '../schema/graphics.ts';
import { createApp } from './app/app.ts';

export default createApp(graphics);
`,
    ]);
  });

  it('entry is what serves another collection', () => {
    const readEntry = (file: string) =>
      complete.readEntry(file === 'graphics.ts' ? 'notifications.ts' : file);
    expect(findNew({ ...complete, readEntry })).toEqual([
      expect.stringMatching(/^functions\/graphics\.ts must read:/),
    ]);
  });

  it('env is named, with the sections to add', () => {
    const { graphics: _, ...envs } = complete.envs;
    const [message = '', ...others] = findNew({ ...complete, envs });
    expect(others).toEqual([]);
    const [head, ...sections] = message.split('\n\n');
    expect(head).toBe('wrangler.toml has no [env.graphics]. Add:');
    expect(complete.toml).toContain(sections.join('\n\n').trim());
    expect(message).toContain('[[env.graphics.hyperdrive]]');
    expect(message).not.toContain('quotes');
  });

  it.each([
    ['name', 'uniform-builder-graphics'],
    ['main', 'functions/graphics.ts'],
  ])('%s of an env is named', (key, value) => {
    expect(findNew(withEnv('graphics', { [key]: 'quotes' }))).toEqual([
      `wrangler.toml: [env.graphics] needs ${key} = "${value}".`,
    ]);
  });

  it('collection of an env is named', () => {
    expect(findNew(withEnv('shirts', {}))).toEqual([
      'wrangler.toml has [env.shirts], but schema/collections.ts has no shirts.',
    ]);
  });
});

describe('the routes', () => {
  const host = 'api.example.com';
  const own: Record<string, string[]> = {
    quotes: ['/rest/v1/quotes*', '/rest/v1/rpc/*', '/health'],
    reference: ['/', '/reference/*', '/rest/v1/'],
    expiry: [],
    live: ['/realtime/v1/*'],
  };
  const pathsOf = (name: string) => own[name] ?? [`/rest/v1/${name}*`];
  const routed = (...without: string[]): Deployment => ({
    ...complete,
    envs: Object.fromEntries(
      workers.map(name => {
        const paths = pathsOf(name).filter(path => !without.includes(path));
        return [
          name,
          { routes: paths.map(path => ({ pattern: `${host}${path}`, zone_name: 'example.com' })) },
        ];
      }),
    ),
  });

  it('are complete when each worker has those of its paths', () => {
    expect(checkRoutes(routed())).toEqual([]);
  });

  it.each([
    ['graphics', '/rest/v1/graphics*'],
    ['quotes', '/rest/v1/rpc/*'],
    ['reference', '/rest/v1/'],
  ])('of %s need %s', (name, path) => {
    expect(checkRoutes(routed(path))).toEqual([
      `wrangler.toml: the routes of [env.${name}] need { pattern = "${host}${path}", zone_name = "…" }.`,
    ]);
  });

  it('that a worker lacks are on one line', () => {
    expect(checkRoutes(routed('/rest/v1/', '/'))).toEqual([
      `wrangler.toml: the routes of [env.reference] need { pattern = "${host}/", zone_name = "…" }, { pattern = "${host}/rest/v1/", zone_name = "…" }.`,
    ]);
  });

  it('are those of every worker that serves requests, where there are none', () => {
    const lines = checkRoutes(routed(...workers.flatMap(pathsOf)));
    expect(lines.map(line => /\[env\.(\w+)\]/.exec(line)?.[1])).toEqual(
      workers.filter(name => name !== 'expiry'),
    );
    expect(lines[0]).toContain('{ pattern = "<host>/realtime/v1/*", zone_name = "…" }');
  });

  it('may be written as patterns alone', () => {
    expect(checkRoutes(withEnv('graphics', { routes: [`${host}/rest/v1/graphics*`] }, routed()))).toEqual([]);
  });
});

describe('the ids', () => {
  const deploymentOf = (hyperdrive: string, account: string, address: string): Deployment => {
    const ratelimits = [
      { name: 'ACCOUNT_LIMIT', namespace_id: account },
      { name: 'ADDRESS_LIMIT', namespace_id: address },
    ];
    const serving = { hyperdrive: [{ binding: 'HYPERDRIVE', id: hyperdrive }], ratelimits };
    const expiry = { hyperdrive: [{ binding: 'HYPERDRIVE_SWEEPER', id: hyperdrive }] };
    const envs = {
      live: serving,
      quotes: serving,
      graphics: serving,
      notifications: serving,
      reference: { ratelimits },
    };
    return { ...complete, envs: { ...envs, expiry } };
  };
  const id = 'a'.repeat(32);
  const own = deploymentOf(id, '71', '72');
  const noHyperdrive = (binding: string, env: string) =>
    `wrangler.toml: ${binding} of [env.${env}] needs the id of a Hyperdrive configuration: npx wrangler hyperdrive list`;
  const noNamespace = (name: string) =>
    `wrangler.toml: ${name} needs a namespace_id: a whole number that nothing else in the Cloudflare account uses, the same in each env.`;

  it('are complete when they are the deployment’s own', () => {
    expect(checkIds(own)).toEqual([]);
  });

  it('are named, each on a line, while they are zeros', () => {
    expect(checkIds(deploymentOf('0'.repeat(32), '0', '0'))).toEqual([
      noHyperdrive('HYPERDRIVE', 'live'),
      noHyperdrive('HYPERDRIVE', 'quotes'),
      noHyperdrive('HYPERDRIVE', 'graphics'),
      noHyperdrive('HYPERDRIVE', 'notifications'),
      noHyperdrive('HYPERDRIVE_SWEEPER', 'expiry'),
      noNamespace('ACCOUNT_LIMIT'),
      noNamespace('ADDRESS_LIMIT'),
    ]);
  });

  it.each([undefined, '', '0'])('of a Hyperdrive are not %s', id => {
    const hyperdrive = [{ binding: 'HYPERDRIVE', id }];
    expect(checkIds(withEnv('graphics', { hyperdrive }, own))).toEqual([
      noHyperdrive('HYPERDRIVE', 'graphics'),
    ]);
  });

  it('of a rate limit are set in every env', () => {
    const { ratelimits } = deploymentOf(id, '0', '72').envs['quotes'] ?? {};
    expect(checkIds(withEnv('graphics', { ratelimits }, own))).toEqual([noNamespace('ACCOUNT_LIMIT')]);
  });

  it('of a rate limit are the same in every env', () => {
    const { ratelimits } = deploymentOf(id, '71', '73').envs['quotes'] ?? {};
    expect(checkIds(withEnv('graphics', { ratelimits }, own))).toEqual([
      'wrangler.toml: ADDRESS_LIMIT needs the same namespace_id in each env; it has 72, 73.',
    ]);
  });

  it('of the two rate limits differ', () => {
    expect(checkIds(deploymentOf(id, '71', '71'))).toEqual([
      "wrangler.toml: ADDRESS_LIMIT needs another namespace_id than ACCOUNT_LIMIT, or each counts the other's requests.",
    ]);
  });
});
