/** What each worker of wrangler.toml is, is bound to, and is bounded by. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { limits } from '../functions/common/limits.ts';
import { readWranglerConfig } from '../functions/operate/deploy/read-config.ts';
import { workerOf, workers } from '../functions/operate/deploy/workers.ts';
import type { Collection } from '../schema/collection.ts';
import { collections } from '../schema/collections.ts';
import { budget } from './costs/budget.ts';
import { root } from './setup/files.ts';

const config = join(root, 'wrangler.toml');
const readEnv = (env: string) => unstable_readConfig({ config, env }, { hideWarnings: true });
const everyEnv = ['all', ...workers];

const own = (name: string, class_name: string) => ({ name, class_name });
const live = { ...own('LIVE', 'Live'), script_name: 'uniform-builder-live' };
const delivery = { ...own('DELIVERY', 'Delivery'), script_name: 'uniform-builder-delivery' };
const { account, address, periodSeconds: period } = limits.rate;
/** The same in each worker, so that they count together. */
const rates = [
  { name: 'ACCOUNT_LIMIT', namespace_id: '0', simple: { limit: account, period } },
  { name: 'ADDRESS_LIMIT', namespace_id: '0', simple: { limit: address, period } },
];

interface Bound {
  hyperdrives?: string[];
  objects?: object[];
  /** The classes of its own objects. */
  classes?: string[];
  rates?: object[];
  crons?: string[];
  assets?: object;
}

/** What each worker is bound to, and nothing else. */
const bound: Record<string, Bound> = {
  all: {
    objects: [own('DATABASE_POOL', 'DatabasePool'), own('LIVE', 'Live'), own('DELIVERY', 'Delivery')],
    classes: ['DatabasePool', 'Live', 'Delivery'],
  },
  live: { hyperdrives: ['HYPERDRIVE'], objects: [own('LIVE', 'Live')], classes: ['Live'], rates },
  delivery: {
    hyperdrives: ['HYPERDRIVE', 'HYPERDRIVE_JOBS'],
    objects: [own('DELIVERY', 'Delivery')],
    classes: ['Delivery'],
    rates,
  },
  quotes: {
    hyperdrives: ['HYPERDRIVE'],
    objects: [live, delivery],
    rates,
    // The worker is asked before the files are.
    assets: expect.objectContaining({ binding: 'ASSETS', run_worker_first: true }),
  },
  ...Object.fromEntries(
    collections
      .filter(({ name }) => workerOf(name) === name && name !== 'quotes')
      .map(({ name, live: isLive }) => [
        name,
        { hyperdrives: ['HYPERDRIVE'], objects: isLive ? [live, delivery] : [], rates },
      ]),
  ),
  expiry: { hyperdrives: ['HYPERDRIVE_JOBS'], objects: [live, delivery], crons: ['*/5 * * * *'] },
};

const { env: written } = readWranglerConfig();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns what the own worker of a collection lacks, as it is for graphics, or for notifications if it is live. */
function lackOf({ name, live: isLive }: Collection): string[] {
  const model = isLive ? 'notifications' : 'graphics';
  const file = `functions/${name}.ts`;
  const [section = ''] =
    new RegExp(`^\\[env\\.${model}\\][^]*?(?=^(?:#.*\\n)*\\[env\\.(?!${model}\\b)\\w+\\])`, 'm').exec(
      read('wrangler.toml'),
    ) ?? [];
  const env = section.replaceAll(`-${model}"`, `-${name.replaceAll('_', '-')}"`).replaceAll(model, name);
  return [
    ...(existsSync(join(root, file))
      ? []
      : [`${file}:\n${read(`functions/${model}.ts`).replaceAll(model, name)}`]),
    ...(name in written ? [] : [`wrangler.toml:\n${env}`]),
  ];
}

it.each(
  collections.filter(({ name }) => workerOf(name) === name),
)('the worker of $name has its file and its env, or servedBy in functions/operate/deploy/workers.ts names another one', collection => {
  expect(lackOf(collection).join('\n')).toBe('');
});

describe.each(everyEnv.filter(env => env in written))('the worker %s', env => {
  const settings = readEnv(env);

  it('has its name and its file', () => {
    const name = env === 'all' ? 'uniform-builder' : `uniform-builder-${env.replaceAll('_', '-')}`;
    expect([settings.name, settings.main]).toEqual([name, join(root, `functions/${env}.ts`)]);
  });

  it('is bound to what it needs and nothing else', () => {
    const { hyperdrives = [], objects = [], classes = [], rates = [], crons = [], assets } = bound[env] ?? {};
    expect({
      hyperdrives: settings.hyperdrive.map(({ binding }: { binding: string }) => binding),
      objects: settings.durable_objects.bindings,
      classes: settings.migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes),
      rates: settings.ratelimits ?? [],
      crons: settings.triggers.crons ?? [],
      assets: settings.assets,
    }).toEqual({ hyperdrives, objects, classes, rates, crons, assets });
  });

  it('is reached by its routes only, runs where the user is, and keeps no logs, which would have whole addresses', () => {
    const { workers_dev, preview_urls, placement, routes, route, upload_source_maps } = settings;
    const { observability, logpush, tail_consumers } = settings;
    expect({ workers_dev, preview_urls, placement, routes, route, upload_source_maps }).toEqual({
      workers_dev: false,
      preview_urls: false,
      upload_source_maps: true,
    });
    expect({ observability, logpush, tail_consumers }).toEqual({ observability: { enabled: false } });
  });

  it('has as much CPU as a request may use in the tests, or more if it serves many at once', () => {
    const servesMany = ['all', 'live', 'delivery', 'expiry'].includes(env);
    expect(settings.limits).toEqual({ cpu_ms: servesMany ? 30_000 : budget.workerSeconds * 1000 });
  });
});

it('wrangler.toml has an env for each worker and no other, and those with objects are deployed first', () => {
  expect(Object.keys(written).sort()).toEqual([...everyEnv].sort());
  expect(workers.slice(0, 2)).toEqual(['live', 'delivery']);
});
