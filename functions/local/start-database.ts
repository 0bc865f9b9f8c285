/** Runs the local service's database, with its demo, for as long as the program runs. */
import { openDatabase, prepareDatabase } from './database.ts';
import { serveDemoFiles } from './demo-files.ts';
import { step } from './report.ts';
import { running } from './running.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

export interface StartedDatabase {
  /** The connection string of the owner. */
  url: string;
  /** Brings it up to date, and tells what was done. */
  prepare(): Promise<string>;
}

/** Resolves once it is up to date. `port` is for the embedded database, if it is free. */
export async function startDatabase(
  settings: Settings,
  secrets: Secrets,
  port?: number,
): Promise<StartedDatabase> {
  const open = () => openDatabase(settings, secrets, port);
  const { url, stop } = await step('postgres', open, ({ place }) => place);
  running.push({ stop });
  const demoFiles = settings.databaseUrl === undefined ? await serveDemoFiles() : undefined;
  running.push(...(demoFiles ? [demoFiles] : []));
  const prepare = () => prepareDatabase(url, settings, secrets, demoFiles?.address);
  await step('migrations', prepare, outcome => outcome);
  return { url, prepare };
}
