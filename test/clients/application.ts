/** An application in a directory of its own: files that are compiled and run. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';

const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

export type Application = Awaited<ReturnType<typeof makeApplication>>;

/** `packages`: those that it imports, of the service or of its tests. */
export async function makeApplication(
  files: Record<string, string>,
  packages: 'node_modules' | 'test/node_modules' | 'none' = 'node_modules',
) {
  const { path: directory, remove } = await makeTemporaryDirectory();
  const all = { 'package.json': JSON.stringify({ type: 'module' }), ...files };
  for (const [name, text] of Object.entries(all)) {
    await writeFile(join(directory, name), text);
  }
  if (packages !== 'none') {
    await symlink(join(root, packages), join(directory, 'node_modules'));
  }
  const run = (...args: string[]) => startCommand(process.execPath, args, { directory }).ended;
  return {
    directory,
    /** Returns what the compiler says of these files and what they import: nothing when it has no complaint. */
    async compile(...names: string[]): Promise<string> {
      await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }));
      const { stdout, stderr } = await run(join(root, 'node_modules/typescript/bin/tsc'), '--project', '.');
      return stdout + stderr;
    },
    run: (file: string, ...args: string[]) =>
      run('--import', join(root, 'node_modules/tsx/dist/loader.mjs'), file, ...args),
    remove,
  };
}
