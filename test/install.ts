/**
 * Installs what tests at full size, the compiler and the benchmark take beside the packages of `npm test`: other clients,
 * other versions of Postgres (package.json beside this file). Whatever needs them runs it first.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tests = fileURLToPath(new URL('.', import.meta.url));
const installed = join(tests, 'node_modules');
/** In `node_modules`: the hash of the lock file that was installed. */
const marker = '.lock-hash';

async function hashLock(): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(tests, 'package-lock.json')))
    .digest('hex');
}

async function isInstalled(hash: string): Promise<boolean> {
  return (await readFile(join(installed, marker), 'utf8').catch(() => '')) === hash;
}

/** Installs into a directory of its own, which takes the place of `node_modules` at once: another run may do the same. */
async function install(hash: string): Promise<void> {
  const local = join(tests, '../.local');
  await mkdir(local, { recursive: true });
  const directory = await mkdtemp(join(local, 'test-packages-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      await cp(join(tests, file), join(directory, file));
    }
    await runNpm(directory);
    await writeFile(join(directory, 'node_modules', marker), hash);
    if (!(await isInstalled(hash))) {
      await rename(installed, join(directory, 'previous')).catch(() => {});
      await rename(join(directory, 'node_modules'), installed).catch(async error => {
        // Another run was faster.
        if (!(await isInstalled(hash))) {
          throw error;
        }
      });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runNpm(directory: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [code] = await once(spawn('npm', args, { cwd: directory, stdio: 'inherit' }), 'exit');
  if (code !== 0) {
    throw new Error('npm ci failed. It needs the network, once.');
  }
}

/** Installs the packages where they are missing. Rejects where npm fails. */
export async function installPackages(): Promise<void> {
  const hash = await hashLock();
  if (await isInstalled(hash)) {
    return;
  }
  console.log('Installing the packages of test/package.json: once, and when its lock file changes.');
  // Ctrl-C ends npm, and what it left is removed here.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  try {
    await install(hash);
  } finally {
    process.off('SIGINT', ignore);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await installPackages().catch(error => {
    console.error(`The packages of the tests could not be installed: ${(error as Error).message}`);
    process.exitCode = 1;
  });
}
