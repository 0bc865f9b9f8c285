/** Passes the workers to wrangler one after the other, and describes the state when one fails. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { wrangler } from '../wrangler.ts';
import { nameOf } from './config.ts';
import { workers } from './workers.ts';

/**
 * Returns the workers that were not deployed, beginning with the one that failed. Wrangler prints the error. Without a
 * configuration it reads wrangler.toml, whose ids are zeros: enough to bundle.
 */
export function runWrangler(command: readonly string[], config?: object): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = config ? join(directory, 'wrangler.json') : join(root, 'wrangler.toml');
  if (config) {
    writeFileSync(file, JSON.stringify(config));
  }
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

/** Describes which workers were deployed, and how to continue or roll back. `left` begins with the worker that failed. */
export function describeState(left: string[], environment: string): string {
  const [failed = '', ...unchanged] = left.map(worker => nameOf(worker, environment));
  const deployed = workers.slice(0, -left.length).map(worker => nameOf(worker, environment));
  return [
    `${failed} was not deployed. Its current version: npx wrangler deployments status --name ${failed}`,
    `Unchanged: ${unchanged.join(', ') || 'none'}. Deployed: ${deployed.join(', ') || 'none'}.`,
    `To continue: npm run deploy -- --env ${environment}`,
    ...(deployed.length > 0 ? ['To roll back:'] : []),
    ...deployed.reverse().map(worker => `npx wrangler rollback --name ${worker}`),
  ].join('\n');
}
