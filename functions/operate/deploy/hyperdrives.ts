/** Checks the Hyperdrive configurations of an environment, as far as Cloudflare shows them. */
import { runWrangler } from './ask-wrangler.ts';
import type { Settings } from './environments.ts';

/** The setting of each binding, and the login that its configuration must have. */
export const bindings = {
  HYPERDRIVE: { setting: 'hyperdrive', login: 'builder_api' },
  HYPERDRIVE_JOBS: { setting: 'hyperdrive_jobs', login: 'builder_jobs' },
} as const satisfies Record<string, { setting: keyof Settings; login: string }>;

/** What wrangler prints of a configuration. Cloudflare never shows its password. */
export interface Configuration {
  origin?: { user?: string };
  caching?: { disabled?: boolean };
}

/** Returns a line for each fault. Environments may share a configuration, but its two logins can't. */
export async function checkHyperdrive(settings: Settings): Promise<string[]> {
  if (settings.hyperdrive === settings.hyperdrive_jobs) {
    return [
      'hyperdrive and hyperdrive_jobs need two Hyperdrive configurations, since a configuration has one login.',
    ];
  }
  const lines: string[] = [];
  for (const use of Object.values(bindings)) {
    const id = settings[use.setting];
    const configuration = await runWrangler('hyperdrive', 'get', id);
    lines.push(
      ...(configuration.ok
        ? findFaults(id, use, JSON.parse(configuration.value))
        : [
            `A Hyperdrive configuration cannot be read. Log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN. Wrangler says: ${configuration.failure}`,
          ]),
    );
  }
  // Without a login both fail alike.
  return [...new Set(lines)];
}

/** Returns a line for each fault of a configuration, with the command that mends it. */
export function findFaults(
  id: string,
  { setting, login }: { setting: string; login: string },
  { origin, caching }: Configuration,
): string[] {
  const update = `npx wrangler hyperdrive update ${id}`;
  return [
    ...(origin?.user === login
      ? []
      : [
          `${setting}: the Hyperdrive configuration ${id} logs in as ${origin?.user ?? 'nobody'}, and must as ${login}: ${update} --origin-user ${login} --origin-password <password>`,
        ]),
    ...(caching?.disabled === true
      ? []
      : [
          `The Hyperdrive configuration ${id} caches, regardless of row level security: ${update} --caching-disabled true`,
        ]),
  ];
}

/** What no check can see, for its output. */
export const unseen =
  "Cloudflare does not show the logins' passwords, whether the database is reachable and has enough connections, or whether http is redirected. npm run smoke tests the database.";
