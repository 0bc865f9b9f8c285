/** Passes the workers to wrangler, one after the other, and says what it has left when it stops at one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { wrangler } from '../wrangler.ts';
import { nameOf } from './config.ts';
import { workers } from './workers.ts';

/** Returns the workers that wrangler did not do, from the first that failed on. What went wrong, it has said. */
export function runWrangler(command: readonly string[], config: object): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = join(directory, 'wrangler.json');
  writeFileSync(file, JSON.stringify(config));
  try {
    const failed = workers.findIndex(worker => {
      const args = [wrangler, ...command, '--config', file, '--env', worker];
      return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0;
    });
    return failed === -1 ? [] : workers.slice(failed);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Says which workers are new and which are not, how to go on, and how to go back. `left` begins with the one that failed. */
export function describeState(left: string[], environment: string): string {
  const [failed = '', ...unchanged] = left.map(worker => nameOf(worker, environment));
  const deployed = workers.slice(0, -left.length).map(worker => nameOf(worker, environment));
  return [
    `${failed} was not deployed. What runs of it: npx wrangler deployments status --name ${failed}`,
    `As before: ${unchanged.join(', ') || 'none'}. Deployed: ${deployed.join(', ') || 'none'}.`,
    `To go on: npm run deploy -- --env ${environment}`,
    ...(deployed.length > 0 ? ['To go back:'] : []),
    ...deployed.reverse().map(worker => `npx wrangler rollback --name ${worker}`),
  ].join('\n');
}
