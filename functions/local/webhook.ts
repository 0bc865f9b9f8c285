/**
 * `npm run webhook`: adds, lists and changes the webhooks of the database of DATABASE_URL, a connection of its owner, as
 * `npm run migrate` takes it. A secret is printed once, when it is made.
 */
import { parseArgs } from 'node:util';
import { loopbackNames } from '../common/loopback-names.ts';
import { checkWebhookUrl } from '../delivery/webhook-url.ts';
import { withOwnerDatabase } from './owner-database.ts';
import { exitWith, Problem } from './problem.ts';
import { describeWebhook } from './webhook/describe.ts';
import { eventNames } from './webhook/event-names.ts';
import { sendTest } from './webhook/send-test.ts';
import { type Webhook, Webhooks } from './webhook/webhooks.ts';

const usage =
  'Usage: DATABASE_URL=… npm run webhook -- add <url> [--events <name>,…] | list | ' +
  'rotate <id> | remove-secret <id> | disable <id> | enable <id> | test <id>';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What each command does; it returns what is printed. `onLoopback` is whether the database is on this machine. */
const commands: Record<string, (all: Webhooks, given: Given, onLoopback: boolean) => Promise<string>> = {
  async add(all, { argument, events }, onLoopback) {
    const url = checkWebhookUrl(argument, onLoopback);
    if (!url.ok) {
      throw new Problem(`That URL can't be used: ${url.failure}. ${usage}`);
    }
    const { id, secret } = await all.add(url.value, events);
    return `added   ${id}\n${showSecret(secret)}`;
  },
  async list(all) {
    const lines = (await all.list()).map(describeWebhook);
    return lines.length === 0 ? 'There is no webhook.' : lines.join('\n');
  },
  rotate: async (all, given) =>
    `${showSecret(await all.rotate(idOf(given)))}\nCalls are signed with the old secret too, until remove-secret.`,
  'remove-secret': async (all, given) => describeWebhook(await all.removeOldSecret(idOf(given))),
  disable: async (all, given) => describeWebhook(await all.disable(idOf(given))),
  enable: async (all, given) => describeWebhook(await all.enable(idOf(given))),
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
  const { positionals, values } = parse(args);
  const [command = '', argument = '', ...more] = positionals;
  if (!Object.hasOwn(commands, command) || (command === 'list') !== (argument === '') || more.length > 0) {
    throw new Problem(usage);
  }
  if (values.events !== undefined && command !== 'add') {
    throw new Problem(`--events is for add alone. ${usage}`);
  }
  const events = values.events?.split(',') ?? null;
  const unknown = events?.find(name => !eventNames.includes(name));
  if (unknown !== undefined) {
    throw new Problem(`There is no event "${unknown}". The events are ${eventNames.join(', ')}.`);
  }
  return { command, argument, events };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { events: { type: 'string' } } });
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

function idOf({ argument }: Given): string {
  if (!uuid.test(argument)) {
    throw new Problem(`"${argument}" is not the id of a webhook. ${usage}`);
  }
  return argument;
}

const showSecret = (secret: string): string => `secret  ${secret}   (is not shown again)`;

const main = (given: Given): Promise<void> =>
  withOwnerDatabase(async ({ sql, url }) => {
    const onLoopback = loopbackNames.includes(url.hostname);
    console.log(await commands[given.command]?.(new Webhooks(sql), given, onLoopback));
  });

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  exitWith(error);
}
