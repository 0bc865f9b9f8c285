/** The environments that are deployed, and whether the settings of one are complete. */

/** The settings of an environment in .environments.toml, and what `--check` says of one that is not valid. */
const settings = {
  host: [/^([a-z0-9-]+\.)+[a-z]+$/, 'the name of a host that serves nothing else, in lower case'],
  zone: [/^([a-z0-9-]+\.)+[a-z]+$/, 'the Cloudflare zone of the host'],
  location: [
    /^(?:wnam|enam|sam|weur|eeur|apac|oc|afr|me)$/,
    'where the database is: wnam, enam, sam, weur, eeur, apac, oc, afr or me',
  ],
  hyperdrive: [/^[0-9a-f]{32}$/, 'the id of a Hyperdrive configuration: npx wrangler hyperdrive list'],
  hyperdrive_live: [/^[0-9a-f]{32}$/, 'the id of another Hyperdrive configuration, as the same login'],
  hyperdrive_sweep: [/^[0-9a-f]{32}$/, 'the id of the Hyperdrive configuration of builder_sweeper'],
  hyperdrive_delivery: [/^[0-9a-f]{32}$/, 'the id of the Hyperdrive configuration of builder_deliverer'],
  account_limit: [
    /^[1-9]\d*$/,
    'a whole number, in quotes, that nothing else in the Cloudflare account uses',
  ],
  address_limit: [
    /^[1-9]\d*$/,
    'a whole number, in quotes, that nothing else in the Cloudflare account uses',
  ],
} as const satisfies Record<string, [RegExp, string]>;

/** Its variables, under `vars`. Secrets are none of them: wrangler prints the value of each, and Cloudflare shows it. */
const variables = {
  JWT_AUDIENCE: [/./, 'the aud of its tokens'],
  JWT_ISSUER: [/./, 'the iss of its tokens'],
  MAX_ROWS: [/^[1-9]\d{0,8}$/, 'a whole number, in quotes'],
  GRAPHICS_CACHE_SECONDS: [/^\d{1,5}$/, 'a whole number, in quotes'],
  LIVE_OBJECTS: [/^(?:[1-9]\d?|100)$/, 'a whole number up to 100, in quotes'],
  MAIL_FROM: [/@/, 'whom e-mail is from: Name <address>'],
  MAIL_REPLY_TO: [/@/, 'the address for replies'],
  STAFF_EMAIL: [/@/, 'the address for messages to the staff'],
  MAIL_PER_DAY: [/^[1-9]\d{0,8}$/, 'a whole number, in quotes'],
  APP_URL: [/^https:\/\//, 'the address of the application'],
  REFERENCE: [/^off$/, '"off", or nothing'],
} as const satisfies Record<string, [RegExp, string]>;

type Setting = keyof typeof settings;
const names = Object.keys(settings) as Setting[];
/** No two of these may be the same, in one environment or in two: who counts or waits there would meet the other. */
const unshared = names.filter(name => name !== 'zone' && name !== 'location');

export type Settings = Record<Setting, string> & { vars: Record<string, string> };

/** As .environments.toml is read: anything may be missing. */
export type Environments = Record<string, Record<string, unknown>>;

/** Returns the settings of an environment that checkEnvironment found complete. */
export const settingsOf = (environments: Environments, environment: string): Settings =>
  ({ vars: {}, ...environments[environment] }) as Settings;

/** Returns a line for each setting that is missing, unknown, not valid, or that of another too. */
export function checkEnvironment(environments: Environments, environment: string): string[] {
  const own = Object.hasOwn(environments, environment) ? environments[environment] : undefined;
  if (own === undefined) {
    return [`.environments.toml has no [${environment}], but: ${Object.keys(environments).join(', ')}.`];
  }
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(environment)) {
    return [
      `.environments.toml: an environment has small letters, digits and - in its name, and ${environment} has not.`,
    ];
  }
  const invalid = names.filter(name => !isText(own[name], settings[name][0]));
  const valid = (name: Setting) => !invalid.includes(name);
  const where = `.environments.toml: ${environment}`;
  return [
    ...invalid.map(name => `${where} needs ${name}, ${settings[name][1]}.`),
    ...Object.keys(own)
      .filter(name => name !== 'vars' && !Object.hasOwn(settings, name))
      .map(name => `${where} has ${name}, which is no setting.`),
    ...(valid('host') && valid('zone') && !`.${own['host']}`.endsWith(`.${own['zone']}`)
      ? [`${where} needs a host in its zone.`]
      : []),
    ...unshared.filter(valid).flatMap(name => {
      const other = findShared(environments, environment, name);
      return other === undefined ? [] : [`${where} needs another ${name} than ${other}.`];
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
      return [`has vars.${name}, which is no variable. A secret: npx wrangler secret put.`];
    }
    const [pattern, meaning] = variables[name as keyof typeof variables];
    return isText(value, pattern) ? [] : [`needs vars.${name}, ${meaning}.`];
  });
}

/** Returns which other setting has the same value. */
function findShared(environments: Environments, environment: string, name: Setting): string | undefined {
  const value = environments[environment]?.[name];
  const others = Object.entries(environments).flatMap(([other, set]) =>
    unshared
      .filter(setting => (other !== environment || setting !== name) && set[setting] === value)
      .map(setting => (other === environment ? setting : `the ${setting} of ${other}`)),
  );
  return others[0];
}
