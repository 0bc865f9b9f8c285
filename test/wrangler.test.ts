import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { limits } from '../functions/common/limits.ts';
import { workers } from '../functions/local/deploy/workers.ts';
import { collections as definitions } from '../schema/collections.ts';
import { budget } from './costs/budget.ts';
import { findMissing } from './missing-workers.ts';

const file = fileURLToPath(new URL('../wrangler.toml', import.meta.url));
const readEnv = (env: string) => unstable_readConfig({ config: file, env }, { hideWarnings: true });
const collections = definitions.map(({ name }) => name);
const live = definitions.filter(collection => collection.live).map(({ name }) => name);
/** What those are bound to who say that something was written. */
const liveObject = { name: 'LIVE', class_name: 'Live', script_name: 'uniform-builder-live' };
const deliveryObject = { name: 'DELIVERY', class_name: 'Delivery', script_name: 'uniform-builder-delivery' };

describe('wrangler.toml', () => {
  const everyEnv = ['all', ...workers];

  it('describes the worker of each collection, of the reference, the cron, and all in one, and no other environment', () => {
    expect(findMissing()).toEqual([]);
  });

  it('gives each worker a name of its own', () => {
    const names = everyEnv.map(env => readEnv(env).name);
    expect(new Set(names).size).toBe(everyEnv.length);
  });

  it.each(everyEnv)('lets the worker %s be reached by its routes alone, and run where the user is', env => {
    const { workers_dev, preview_urls, placement, routes, route, upload_source_maps } = readEnv(env);
    expect({ workers_dev, preview_urls, placement, routes, route, upload_source_maps }).toEqual({
      workers_dev: false,
      preview_urls: false,
      upload_source_maps: true,
    });
  });

  it.each(everyEnv)('keeps no logs of the worker %s, which would have whole addresses', env => {
    const { observability, logpush, tail_consumers } = readEnv(env);
    expect({ observability, logpush, tail_consumers }).toEqual({ observability: { enabled: false } });
  });

  it.each(
    everyEnv,
  )('bounds the CPU of the worker %s, to what a request may use in the tests if it serves one at a time', env => {
    const servesMany = ['all', 'live', 'delivery', 'expiry'].includes(env);
    expect(readEnv(env).limits).toEqual({ cpu_ms: servesMany ? 30_000 : budget.workerSeconds * 1000 });
  });
});

describe('the worker of everything, all,', () => {
  const config = readEnv('all');

  it('binds the pool and live updates, Durable Objects of its own, and no Hyperdrive', () => {
    expect(config.durable_objects.bindings).toEqual([
      { name: 'DATABASE_POOL', class_name: 'DatabasePool' },
      { name: 'LIVE', class_name: 'Live' },
      { name: 'DELIVERY', class_name: 'Delivery' },
    ]);
    expect(config.migrations).toEqual([
      { tag: 'v1', new_sqlite_classes: ['DatabasePool'] },
      { tag: 'v2', new_sqlite_classes: ['Live'] },
      { tag: 'v3', new_sqlite_classes: ['Delivery'] },
    ]);
    expect(config.hyperdrive).toEqual([]);
  });

  it('has no crons', () => {
    expect(config.main).toMatch(/functions\/all\.ts$/);
    expect(config.triggers.crons ?? []).toEqual([]);
  });
});

describe.each(collections)('the worker of %s', collection => {
  const read = () => readEnv(collection);

  it('binds HYPERDRIVE and no other database, live updates if they tell of it, and what delivers', () => {
    const config = read();
    expect(config.hyperdrive.map((hyperdrive: { binding: string }) => hyperdrive.binding)).toEqual([
      'HYPERDRIVE',
    ]);
    expect(config.durable_objects.bindings).toEqual(
      collection === 'deliveries'
        ? [deliveryObject]
        : live.includes(collection)
          ? [liveObject, deliveryObject]
          : [],
    );
    expect(config.migrations).toEqual([]);
  });

  it('has no cron', () => {
    const config = read();
    expect(config.main).toMatch(new RegExp(`functions/${collection}\\.ts$`));
    expect(config.triggers.crons ?? []).toEqual([]);
  });
});

describe('the worker of live updates', () => {
  const config = readEnv('live');

  it('has the object that the others are bound to, over HYPERDRIVE', () => {
    expect(config.name).toBe(liveObject.script_name);
    expect(config.durable_objects.bindings).toEqual([{ name: 'LIVE', class_name: 'Live' }]);
    expect(config.migrations).toEqual([{ tag: 'v1', new_sqlite_classes: ['Live'] }]);
    expect(config.hyperdrive.map((hyperdrive: { binding: string }) => hyperdrive.binding)).toEqual([
      'HYPERDRIVE',
    ]);
  });

  it('is deployed before those that are bound to its object', () => {
    expect(workers.slice(0, 2)).toEqual(['live', 'delivery']);
  });
});

describe('the files of the reference page', () => {
  it('belong to a worker of their own, which is asked before they are', () => {
    const { assets, main, hyperdrive } = readEnv('reference');
    expect(main).toMatch(/functions\/reference\.ts$/);
    expect(assets).toMatchObject({ binding: 'ASSETS', run_worker_first: true });
    expect(hyperdrive).toEqual([]);
  });

  it.each(['all', 'live', ...collections, 'expiry'])('are no business of the worker of %s', env => {
    expect(readEnv(env).assets).toBeUndefined();
  });
});

describe('the rate limits', () => {
  const limitsOf = (env: string) => readEnv(env).ratelimits ?? [];

  it.each([
    ...collections,
    'live',
    'reference',
  ])('of the worker of %s count with those of the others', env => {
    const bound = limitsOf(env);
    expect(bound.map(({ name }: { name: string }) => name)).toEqual(['ACCOUNT_LIMIT', 'ADDRESS_LIMIT']);
    expect(bound).toEqual(limitsOf('quotes'));
  });

  it('are those of functions/common/limits.ts, counted over the time that the answer says to wait', () => {
    const { account, address, periodSeconds: period } = limits.rate;
    const bound = limitsOf('quotes').map(({ simple }: { simple: object }) => simple);
    expect(bound).toEqual([
      { limit: account, period },
      { limit: address, period },
    ]);
  });

  it.each(['all', 'expiry'])('are none of the worker %s', env => {
    expect(limitsOf(env)).toEqual([]);
  });
});

describe('the worker of the sweep, expiry,', () => {
  const config = readEnv('expiry');

  it('binds HYPERDRIVE_SWEEPER and no other database, and live updates', () => {
    expect(config.hyperdrive.map((hyperdrive: { binding: string }) => hyperdrive.binding)).toEqual([
      'HYPERDRIVE_SWEEPER',
    ]);
    expect(config.durable_objects.bindings).toEqual([liveObject, deliveryObject]);
    expect(config.migrations).toEqual([]);
  });

  it('runs every five minutes', () => {
    expect(config.main).toMatch(/functions\/expiry\.ts$/);
    expect(config.triggers.crons).toEqual(['*/5 * * * *']);
  });
});
