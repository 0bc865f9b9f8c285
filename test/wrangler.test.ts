import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { experimental_readRawConfig, unstable_readConfig } from 'wrangler';
import { ratePeriod } from '../functions/caller/rate-limit.ts';

const file = fileURLToPath(new URL('../wrangler.toml', import.meta.url));
const readEnv = (env: string) => unstable_readConfig({ config: file, env }, { hideWarnings: true });
const collections = ['quotes', 'graphics', 'notifications'];

describe('wrangler.toml', () => {
  it('describes the worker of each collection, of the reference, the cron, and all in one, and no other environment', () => {
    const { rawConfig } = experimental_readRawConfig({ config: file });
    expect(Object.keys(rawConfig.env ?? {})).toEqual(['all', ...collections, 'reference', 'expiry']);
  });

  it('gives each worker a name of its own', () => {
    const names = ['all', ...collections, 'reference', 'expiry'].map(env => readEnv(env).name);
    expect(new Set(names).size).toBe(6);
  });
});

describe('the worker of everything, all,', () => {
  const config = readEnv('all');

  it('binds the pool, a Durable Object of its own, and no Hyperdrive', () => {
    expect(config.durable_objects.bindings).toEqual([{ name: 'DATABASE_POOL', class_name: 'DatabasePool' }]);
    expect(config.migrations).toEqual([{ tag: 'v1', new_sqlite_classes: ['DatabasePool'] }]);
    expect(config.hyperdrive).toEqual([]);
  });

  it('has no crons, routes or placement', () => {
    expect(config.main).toMatch(/functions\/all\.ts$/);
    expect(config.triggers.crons ?? []).toEqual([]);
    expect(config.routes).toBeUndefined();
    expect(config.route).toBeUndefined();
    expect(config.placement).toBeUndefined();
  });
});

describe.each(collections)('the worker of %s', collection => {
  const config = readEnv(collection);

  it('binds HYPERDRIVE and no other database, and has no Durable Object', () => {
    expect(config.hyperdrive.map((hyperdrive: { binding: string }) => hyperdrive.binding)).toEqual([
      'HYPERDRIVE',
    ]);
    expect(config.durable_objects.bindings).toEqual([]);
    expect(config.migrations).toEqual([]);
  });

  it('is placed near the database and has no cron', () => {
    expect(config.main).toMatch(new RegExp(`functions/${collection}\\.ts$`));
    expect(config.placement).toEqual({ mode: 'smart' });
    expect(config.triggers.crons ?? []).toEqual([]);
  });
});

describe('the files of the reference page', () => {
  it('belong to a worker of their own, which is asked before they are', () => {
    const { assets, main, hyperdrive, placement } = readEnv('reference');
    expect(main).toMatch(/functions\/reference\.ts$/);
    expect(assets).toMatchObject({ binding: 'ASSETS', run_worker_first: true });
    expect({ hyperdrive, placement }).toEqual({ hyperdrive: [], placement: undefined });
  });

  it.each(['all', ...collections, 'expiry'])('are no business of the worker of %s', env => {
    expect(readEnv(env).assets).toBeUndefined();
  });
});

describe('the rate limits', () => {
  const limitsOf = (env: string) => readEnv(env).ratelimits ?? [];

  it.each([...collections, 'reference'])('of the worker of %s count with those of the others', env => {
    const limits = limitsOf(env);
    expect(limits.map(({ name }: { name: string }) => name)).toEqual(['ACCOUNT_LIMIT', 'ADDRESS_LIMIT']);
    expect(new Set(limits.map(({ namespace_id: id }: { namespace_id: string }) => id)).size).toBe(2);
    expect(limits).toEqual(limitsOf('quotes'));
  });

  it('are counted over the time that the answer says to wait', () => {
    for (const { simple } of limitsOf('quotes')) {
      expect(simple).toEqual({ limit: expect.any(Number), period: ratePeriod });
    }
  });

  it.each(['all', 'expiry'])('are none of the worker %s', env => {
    expect(limitsOf(env)).toEqual([]);
  });
});

describe('the worker of the sweep, expiry,', () => {
  const config = readEnv('expiry');

  it('binds HYPERDRIVE_SWEEPER and nothing else, and has no Durable Object', () => {
    expect(config.hyperdrive.map((hyperdrive: { binding: string }) => hyperdrive.binding)).toEqual([
      'HYPERDRIVE_SWEEPER',
    ]);
    expect(config.durable_objects.bindings).toEqual([]);
    expect(config.migrations).toEqual([]);
  });

  it('runs every five minutes', () => {
    expect(config.main).toMatch(/functions\/expiry\.ts$/);
    expect(config.triggers.crons).toEqual(['*/5 * * * *']);
    expect(config.placement).toBeUndefined();
  });
});
