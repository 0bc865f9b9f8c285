/** The variables of deliveries on a developer's machine. */

const names = [
  'MAIL_URL',
  'MAIL_FROM',
  'MAIL_REPLY_TO',
  'MAIL_PER_DAY',
  'STAFF_EMAIL',
  'APP_URL',
  'SERVICE_URL',
  'WEBHOOKS_ON_LOOPBACK',
];

interface DeliveryVariables {
  variables: Record<string, string>;
  /** Whether e-mail goes to the inbox, whose MAIL_URL is known when it is started. */
  hasInbox: boolean;
}

/**
 * Returns the developer's own variables, and for the others those of the demo. Only its e-mail goes to the inbox: what is due
 * in another database was promised to somebody, and waits unless there is a MAIL_URL.
 */
export function deliveryVariables(port: number, isDemo: boolean, env = process.env): DeliveryVariables {
  const own = Object.fromEntries(names.flatMap(name => (env[name] ? [[name, env[name]]] : [])));
  const hasInbox = isDemo && !env['MAIL_URL'];
  const sender = {
    MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
    SERVICE_URL: `http://127.0.0.1:${port}`,
  };
  return {
    variables: {
      WEBHOOKS_ON_LOOPBACK: 'on',
      ...((hasInbox || env['MAIL_URL']) && sender),
      ...(isDemo && { APP_URL: `http://127.0.0.1:${port}/demo#/` }),
      ...own,
    },
    hasInbox,
  };
}
