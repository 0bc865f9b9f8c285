/** What `npm run deploy` says of a deployment that does not have all that the collections need. */
import { describe, expect, it } from 'vitest';
import { readDeployment } from '../../functions/local/deploy/read-deployment.ts';
import { type Deployment, findMissing, workers } from '../../functions/local/deploy/workers.ts';

const complete = readDeployment();
const already = findMissing(complete);
/** What it says of a change alone. */
const findNew = (deployment: Deployment): string[] =>
  findMissing(deployment).filter(message => !already.includes(message));
const withEnv = (name: string, changes: object): Deployment => ({
  ...complete,
  envs: { ...complete.envs, [name]: { ...complete.envs[name], ...changes } },
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
import { createApp } from './app.ts';

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
  const routed = (without?: string): Deployment => ({
    ...complete,
    envs: Object.fromEntries(
      workers.map(name => {
        const paths = (own[name] ?? [`/rest/v1/${name}*`]).filter(path => path !== without);
        const routes = paths.map(path => ({ pattern: `${host}${path}`, zone_name: 'example.com' }));
        return [name, { name: `uniform-builder-${name}`, main: `functions/${name}.ts`, routes }];
      }),
    ),
  });

  it('are complete when each worker has those of its paths', () => {
    expect(findNew(routed())).toEqual([]);
  });

  it.each([
    ['graphics', '/rest/v1/graphics*'],
    ['quotes', '/rest/v1/rpc/*'],
    ['reference', '/rest/v1/'],
  ])('of %s need %s once any worker has one', (name, path) => {
    expect(findNew(routed(path))).toEqual([
      `wrangler.toml: the routes of [env.${name}] need { pattern = "${host}${path}", … }.`,
    ]);
  });

  it('may be written as patterns alone', () => {
    const { graphics, ...envs } = routed().envs;
    const routes = [`${host}/rest/v1/graphics*`];
    expect(findNew({ ...complete, envs: { ...envs, graphics: { ...graphics, routes } } })).toEqual([]);
  });
});
