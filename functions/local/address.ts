/** Where the service of a directory runs, for whoever starts it a second time. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (directory: string): string => join(directory, 'address');

/** Notes the address until the service is stopped. One that was killed leaves it. */
export async function noteAddress(directory: string, address: string): Promise<{ stop(): Promise<void> }> {
  await writeFile(fileIn(directory), address);
  return { stop: () => rm(fileIn(directory), { force: true }) };
}

/** Returns the address that is noted, if a service is there. */
export async function addressOf(directory: string): Promise<URL | undefined> {
  try {
    const address = new URL(await readFile(fileIn(directory), 'utf8'));
    const response = await fetch(new URL('/health', address), { signal: AbortSignal.timeout(2000) });
    const { status } = (await response.json()) as { status?: string };
    return status === 'ok' ? address : undefined;
  } catch {
    return undefined;
  }
}
