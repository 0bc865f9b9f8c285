/** Whether the workers have their secrets, for a deployment without a file of secrets. */
import { keyVariables } from '../../caller/unset-keys.ts';
import { runWrangler } from './ask-wrangler.ts';
import { nameOf } from './config.ts';
import { servingWorkers } from './workers.ts';

/** Returns a line if a worker lacks a secret or does not exist yet, or why that can't be known. */
export async function checkUploadedSecrets(environment: string): Promise<string[]> {
  const lines = await Promise.all(servingWorkers.map(worker => checkWorker(nameOf(worker, environment))));
  return [...new Set(lines.flat())].slice(0, 1);
}

async function checkWorker(name: string): Promise<string[]> {
  const listed = await runWrangler('secret', 'list', '--name', name, '--format', 'json');
  if (!listed.ok && !/not found|does not exist/i.test(listed.failure)) {
    return [`The secrets of the workers cannot be listed. Wrangler says: ${listed.failure}`];
  }
  const set = listed.ok ? (JSON.parse(listed.value) as { name: string }[]).map(secret => secret.name) : [];
  const missing = keyVariables.filter(names => !names.some(secret => set.includes(secret)));
  return missing.length === 0
    ? []
    : [
        `The worker ${name} has no ${missing.map(names => names.join(' or ')).join(', ')}: give the file of secrets with --secrets-file. npm run deploy -- --init makes one.`,
      ];
}
