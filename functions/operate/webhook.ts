/**
 * `npm run webhook`, for operators, since no client may add a receiver: adds, lists and changes webhooks. DATABASE_URL is the
 * owner's connection to the database, as for `npm run migrate`. A secret is printed once, when it is created.
 */

import { randomUUID } from 'node:crypto';
import { otherEvents } from '../../schema/quote_events.ts';
import { quotes } from '../../schema/quotes.ts';
import { uuidPattern } from '../../schema/uuid.ts';
import { endWithReader } from '../../sql/output.ts';
import { loopbackNames } from '../common/loopback-names.ts';
import { callWebhook } from '../delivery/call-webhook.ts';
import { checkWebhookUrl } from '../delivery/webhook-url.ts';
import { exitWith, Problem, parseArguments } from '../local/program.ts';
import { withOwnerDatabase } from './owner-database.ts';
import { type CalledEvent, type Webhook, Webhooks } from './webhook/webhooks.ts';

const usage =
  'Usage: DATABASE_URL=… npm run webhook -- add <url> [--events <name>,…] | list | ' +
  'rotate <id> | remove-secret <id> | disable <id> | enable <id> | deliveries <id> | test <id>';

/** The commands; each returns its output. `onLoopback`: the database is on this machine. */
const commands: Record<string, (all: Webhooks, given: Given, onLoopback: boolean) => Promise<string>> = {
  async add(all, { argument, events }, onLoopback) {
    const url = checkWebhookUrl(argument, onLoopback);
    if (!url.ok) {
      throw new Problem(`That URL cannot be used: ${url.failure}. ${usage}`);
    }
    const { id, secret } = await all.add(url.value, events);
    return `added   ${id}\n${showSecret(secret)}`;
  },
  async list(all) {
    const lines = (await all.list()).map(describeWebhook);
    return lines.length === 0 ? 'There are no webhooks.' : lines.join('\n');
  },
  rotate: async (all, given) =>
    `${showSecret(await all.rotate(idOf(given)))}\nCalls are signed with the old secret too, until remove-secret.`,
  'remove-secret': async (all, given) => describeWebhook(await all.removeOldSecret(idOf(given))),
  disable: async (all, given) => describeWebhook(await all.disable(idOf(given))),
  enable: async (all, given) => describeWebhook(await all.enable(idOf(given))),
  async deliveries(all, given) {
    const lines = (await all.deliveries(idOf(given))).map(describeDelivery);
    return lines.length === 0 ? 'It has no deliveries.' : lines.join('\n');
  },
  async test(all, given, onLoopback) {
    const webhook: Webhook = await all.find(idOf(given));
    return sendTest(webhook, onLoopback);
  },
};

interface Given {
  command: string;
  /** A URL or an id. */
  argument: string;
  /** Null: all. */
  events: string[] | null;
}

function readArguments(args: string[]): Given {
  const options = { events: { type: 'string' } } as const;
  const { positionals, values } = parseArguments({ args, allowPositionals: true, options }, usage);
  const [command = '', argument = '', ...more] = positionals;
  if (!Object.hasOwn(commands, command) || (command === 'list') !== (argument === '') || more.length > 0) {
    throw new Problem(usage);
  }
  if (values.events !== undefined && command !== 'add') {
    throw new Problem(`--events is only for add. ${usage}`);
  }
  const events = values.events?.split(',') ?? null;
  const unknown = events?.find(name => !eventNames.includes(name));
  if (unknown !== undefined) {
    throw new Problem(`Unknown event "${unknown}". The events are ${eventNames.join(', ')}.`);
  }
  return { command, argument, events };
}

function idOf({ argument }: Given): string {
  if (!uuidPattern.test(argument)) {
    throw new Problem(`"${argument}" is not a webhook id (a UUID). ${usage}`);
  }
  return argument;
}

const showSecret = (secret: string): string => `secret  ${secret}   (not shown again)`;

const main = (given: Given): Promise<void> =>
  withOwnerDatabase(async ({ sql, url }) => {
    const onLoopback = loopbackNames.includes(url.hostname);
    console.log(await commands[given.command]?.(new Webhooks(sql), given, onLoopback));
  });

/** Returns a webhook's id, URL, events, number of secrets, and state. Never shows a secret. */
function describeWebhook(webhook: Webhook): string {
  const secrets = webhook.secrets.length === 1 ? '1 secret' : `${webhook.secrets.length} secrets`;
  const events = webhook.events?.join() ?? 'all events';
  return [webhook.id, webhook.url, events, secrets, stateOf(webhook)].join('  ');
}

/** Returns a delivery's id, event, quote, state, attempts, time and reason. */
function describeDelivery(delivery: CalledEvent): string {
  const { id, event, quote_id, state, attempts, due_at, settled_at, reason } = delivery;
  const tried = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const when = due_at ? `due ${due_at.toISOString()}` : (settled_at?.toISOString() ?? '');
  return [id, event, quote_id, state, tried, when, reason ?? ''].join('  ').trimEnd();
}

function stateOf({ disabled_at, disabled_because, failing_since }: Webhook): string {
  if (disabled_at !== null) {
    return `disabled since ${disabled_at.toISOString()}: ${disabled_because ?? 'unknown reason'}`;
  }
  return failing_since === null ? 'enabled' : `failing since ${failing_since.toISOString()}`;
}

const { status, fulfillment_status } = quotes.columns;

/** The events of webhooks: a quote's statuses and fulfillment statuses, and its other changes. */
const eventNames: readonly string[] = [
  ...(status.type.values ?? []),
  ...(fulfillment_status.type.values ?? []),
  ...otherEvents,
].map(name => `quote.${name}`);

/**
 * Makes one signed test call from this machine. Returns the output when the receiver accepts it; otherwise throws a Problem
 * with the reason.
 */
async function sendTest({ url, secrets }: Webhook, onLoopback: boolean): Promise<string> {
  const now = new Date();
  const body = JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data: {} });
  const call = { id: randomUUID(), url, secrets, body };
  const outcome = await callWebhook(call, { onLoopback, fetch }, now.getTime());
  if (outcome.is !== 'sent') {
    throw new Problem(`${outcome.is}: ${outcome.reason}`);
  }
  return 'sent';
}

endWithReader();
try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  exitWith(error);
}
