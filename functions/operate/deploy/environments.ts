/** The environments that are deployed, and whether the settings of one are complete. */

/** The settings of an environment in .environments.toml, and the description of each in the output of `--check`. */
const settings = {
  host: [
    /^([a-z0-9-]+\.)+[a-z]+$/,
    'the name, in lower case, of a host that serves nothing else, in a zone of your Cloudflare account',
  ],
  location: [
    /^(?:wnam|enam|sam|weur|eeur|apac|oc|afr|me)$/,
    'where the database is: wnam, enam, sam, weur, eeur, apac, oc, afr or me',
  ],
  hyperdrive: [/^[0-9a-f]{32}$/, 'the id of the Hyperdrive configuration of builder_api'],
  hyperdrive_jobs: [/^[0-9a-f]{32}$/, 'the id of the Hyperdrive configuration of builder_jobs'],
  account_limit: [
    /^[1-9]\d*$/,
    'a whole number, in quotes, that nothing else in the Cloudflare account uses',
  ],
  address_limit: [
    /^[1-9]\d*$/,
    'a whole number, in quotes, that nothing else in the Cloudflare account uses',
  ],
} as const satisfies Record<string, [RegExp, string]>;

/** Its variables, under `vars`. Secrets don't belong here: wrangler and Cloudflare's dashboard show the values. */
const variables = {
  JWT_AUDIENCE: [/./, 'the aud of its tokens'],
  JWT_ISSUER: [/./, 'the iss of its tokens'],
  MAX_ROWS: [/^[1-9]\d{0,8}$/, 'a whole number, in quotes'],
  GRAPHICS_CACHE_SECONDS: [/^\d{1,5}$/, 'a whole number, in quotes'],
  LIVE_OBJECTS: [/^(?:[1-9]\d?|100)$/, 'a whole number up to 100, in quotes'],
  MAIL_FROM: [/@/, 'the sender of e-mail: Name <address>'],
  MAIL_REPLY_TO: [/@/, 'the address for replies'],
  STAFF_EMAIL: [/@/, 'the address for messages to the staff'],
  MAIL_PER_DAY: [/^[1-9]\d{0,8}$/, 'a whole number, in quotes'],
  APP_URL: [/^https:\/\//, 'the address of the application'],
  REFERENCE: [/^off$/, '"off", or nothing'],
  OFFER_LINKS: [/^off$/, '"off", or nothing'],
} as const satisfies Record<string, [RegExp, string]>;

type Setting = keyof typeof settings;
const names = Object.keys(settings) as Setting[];
/** Settings that must be unique across environments: a host has one service. The limits also within one: they name counters. */
const unshared = ['host', 'account_limit', 'address_limit'] as const satisfies Setting[];

export type Settings = Record<Setting, string> & { vars: Record<string, string> };

/** The content of .environments.toml, unchecked. */
export type Environments = Record<string, Record<string, unknown>>;

/** Returns the settings of an environment that checkEnvironment found complete. */
export const settingsOf = (environments: Environments, environment: string): Settings =>
  ({ vars: {}, ...environments[environment] }) as Settings;

/** Whether a text may name an environment: its workers are named after it. */
export const isEnvironmentName = (name: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);

/** Returns a line for each setting that is missing, unknown, invalid, or not unique. */
export function checkEnvironment(environments: Environments, environment: string): string[] {
  const own = Object.hasOwn(environments, environment) ? environments[environment] : undefined;
  if (own === undefined) {
    return [
      `.environments.toml has no [${environment}]. Its environments: ${Object.keys(environments).join(', ') || 'none'}.`,
    ];
  }
  if (!isEnvironmentName(environment)) {
    return [
      `.environments.toml: the name of an environment may only have small letters, digits and -, unlike ${environment}.`,
    ];
  }
  const invalid = names.filter(name => !isText(own[name], settings[name][0]));
  const valid = (name: Setting) => !invalid.includes(name);
  const where = `.environments.toml: ${environment}`;
  return [
    ...invalid.map(name => `${where} needs ${name}, ${settings[name][1]}.`),
    ...Object.keys(own)
      .filter(name => name !== 'vars' && !Object.hasOwn(settings, name))
      .map(name => `${where} has an unknown setting, ${name}.`),
    ...unshared.filter(valid).flatMap(name => {
      const other = findShared(environments, environment, name);
      return other === undefined ? [] : [`${where} needs its own ${name}: ${other} has the same value.`];
    }),
    ...checkVariables(own['vars'] ?? {}).map(line => `${where} ${line}`),
  ];
}

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

function checkVariables(vars: unknown): string[] {
  if (typeof vars !== 'object' || vars === null || Array.isArray(vars)) {
    return ['needs vars to be a table.'];
  }
  return Object.entries(vars).flatMap(([name, value]) => {
    if (!Object.hasOwn(variables, name)) {
      return [`has an unknown variable, vars.${name}. Secrets belong in the file of --secrets-file.`];
    }
    const [pattern, meaning] = variables[name as keyof typeof variables];
    return isText(value, pattern) ? [] : [`needs vars.${name}, ${meaning}.`];
  });
}

/** Returns another setting with the same value, if any. */
function findShared(environments: Environments, environment: string, name: Setting): string | undefined {
  const value = environments[environment]?.[name];
  const others = Object.entries(environments).flatMap(([other, set]) =>
    unshared
      .filter(setting => (other !== environment || setting !== name) && set[setting] === value)
      .map(setting => (other === environment ? setting : `the ${setting} of ${other}`)),
  );
  return others[0];
}
