/** Checks the Hyperdrive configurations of an environment, as far as Cloudflare shows them. */
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { runWrangler } from './ask-wrangler.ts';
import type { Settings } from './environments.ts';
import { type Origin, placeOf, placeOfUrl } from './owner-origin.ts';

/** The setting of each binding, and the login that its configuration must have. */
export const bindings = {
  HYPERDRIVE: { setting: 'hyperdrive', login: 'builder_api' },
  HYPERDRIVE_JOBS: { setting: 'hyperdrive_jobs', login: 'builder_jobs' },
} as const satisfies Record<string, { setting: keyof Settings; login: string }>;

/** What wrangler prints of a configuration. Cloudflare never shows its password. */
interface Configuration {
  origin?: { host?: string; port?: number; database?: string; user?: string };
  caching?: { disabled?: boolean };
}

interface Checked {
  /** A line for each fault. */
  faults: string[];
  /** A line for each configuration: where it leads. */
  places: string[];
}

/** Checks both configurations. Environments may share a configuration, but its two logins can't. */
export async function checkHyperdrive(
  settings: Pick<Settings, 'hyperdrive' | 'hyperdrive_jobs'>,
  origin: Origin | undefined,
): Promise<Checked> {
  if (settings.hyperdrive === settings.hyperdrive_jobs) {
    const fault =
      'hyperdrive and hyperdrive_jobs need two Hyperdrive configurations, since a configuration has one login.';
    return { faults: [fault], places: [] };
  }
  const faults: string[] = [];
  const places: string[] = [];
  for (const use of Object.values(bindings)) {
    const id = settings[use.setting];
    const configuration = await readConfiguration(id);
    if (configuration.ok) {
      places.push(`${use.setting}: ${describeOrigin(configuration.value)}`);
      faults.push(...findFaults(id, use, configuration.value, origin));
    } else {
      faults.push(configuration.failure);
    }
  }
  // Without a login both fail alike.
  return { faults: [...new Set(faults)], places };
}

async function readConfiguration(id: string): Promise<Result<Configuration, string>> {
  const shown = await runWrangler('hyperdrive', 'get', id);
  return shown.ok
    ? ok(JSON.parse(shown.value))
    : fail(
        `A Hyperdrive configuration cannot be read. Log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN. Wrangler says: ${shown.failure}`,
      );
}

const describeOrigin = ({ origin = {} }: Configuration): string =>
  `${origin.user ?? 'nobody'} at ${placeOf(origin)}`;

/** Returns a line for each fault of a configuration, with the command that mends it. */
function findFaults(
  id: string,
  { setting, login }: { setting: string; login: string },
  configuration: Configuration,
  expected: Origin | undefined,
): string[] {
  const { origin, caching } = configuration;
  const update = `npx wrangler hyperdrive update ${id}`;
  return [
    ...(origin?.user === login
      ? []
      : [
          `${setting}: the Hyperdrive configuration ${id} logs in as ${origin?.user ?? 'nobody'}, and must as ${login}: ${update} --origin-user ${login} --origin-password <password>`,
        ]),
    ...(expected === undefined || placeOf(origin ?? {}) === placeOfUrl(expected.url)
      ? []
      : [
          `${setting}: the Hyperdrive configuration ${id} leads to ${placeOf(origin ?? {})}, and DATABASE_URL to ${placeOfUrl(expected.url)}. Empty ${setting} in .environments.toml and run npm run deploy -- --init, or unset DATABASE_URL if both are one database.`,
        ]),
    ...(caching?.disabled === true
      ? []
      : [
          `The Hyperdrive configuration ${id} caches, regardless of row level security: ${update} --caching-disabled true`,
        ]),
  ];
}

/** Fails when the configuration with this id, which was found by its name, is another database's. */
export async function checkNamesake(
  id: string,
  name: string,
  { url }: Origin,
): Promise<Result<string, string>> {
  const configuration = await readConfiguration(id);
  if (!configuration.ok) {
    return configuration;
  }
  const place = placeOf(configuration.value.origin ?? {});
  return place === placeOfUrl(url)
    ? ok(id)
    : fail(
        `Hyperdrive ${name}: that configuration exists, and leads to ${place} instead of ${placeOfUrl(url)}. Rename it, and run this again: npx wrangler hyperdrive update ${id} --name <another>`,
      );
}

/** What no check can see, for its output. */
export const unseen =
  "Cloudflare does not show the logins' passwords, whether the database is reachable and has enough connections, or whether http is redirected. npm run smoke tests the database.";
