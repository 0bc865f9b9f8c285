/** What a client's messages ask for: join, access_token, leave, heartbeat; and who is asking. */
import * as v from 'valibot';
import { countAccount, countOrigin } from '../admission/rate-limit.ts';
import { identifyBearer, isForServers, service } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { expiryOf } from '../token/claims.ts';
import type { Accounts } from './accounts.ts';
import type { Admission } from './admission.ts';
import { type Channel, type Channels, type Joined, userOf } from './channel.ts';
import type { Feed } from './feed.ts';
import { invalid } from './filter.ts';
import { liveLimits } from './limits.ts';
import type { Report } from './report.ts';
import { type Frame, type LiveSocket, type Ref, wordsOf } from './socket.ts';
import { findExcess, planBindings } from './subscription.ts';

export interface Parts {
  env: Env;
  channels: Channels;
  admission: Admission;
  accounts: Accounts;
  feed: Feed;
  report: Report;
}

/** Handles a message that came at this time. Resolves to whether it was a join that is refused, other than for no token. */
export async function handle(frame: Frame, socket: LiveSocket, at: number, parts: Parts): Promise<boolean> {
  const channel = parts.channels.ofSocket(socket).get(frame.topic);
  switch (frame.event) {
    case 'heartbeat':
      socket.heartbeat(frame);
      break;
    case 'phx_join':
      channel?.drop();
      return join(frame, socket, at, parts);
    case 'phx_leave':
      socket.reply(frame, 'ok', {});
      channel?.leave();
      break;
    case 'access_token': {
      const renewed = channel && (await renew(channel, frame.payload, parts));
      if (renewed?.ok === false) {
        channel?.fail(wordsOf(renewed.failure));
      }
      break;
    }
    case 'broadcast':
    case 'presence': {
      const words = `this service supports only postgres_changes, no ${frame.event}`;
      socket.reply(frame, 'error', { reason: words });
      channel?.sendSystem('error', words);
    }
  }
  return false;
}

async function join(frame: Frame, socket: LiveSocket, at: number, parts: Parts): Promise<boolean> {
  const admitted = await admit(frame, socket, at, parts);
  if (!admitted.ok) {
    socket.refuseJoin(frame, wordsOf(admitted.failure));
    return admitted.failure.is !== 'credentials missing';
  }
  if (!socket.isClosing) {
    if (parts.channels.isEmpty) {
      parts.feed.forget();
    }
    parts.admission.join(socket, userOf(admitted.value.caller));
    answer(parts.channels.add(admitted.value), parts).catch(parts.report.crashed);
  }
  return false;
}

/** Answers a join when the accounts of its caller and the feed's cursor are known: then every later commit is sent. */
async function answer(channel: Channel, { accounts, feed }: Parts): Promise<void> {
  const known = await accounts.know(channel.caller, channel.joined.at);
  if (known.ok && (await feed.ready())) {
    channel.answer();
  } else {
    channel.refuse(known.ok ? { is: 'database unavailable', reason: 'LIVE' } : known.failure);
  }
}

const joinPayload = v.object({
  config: v.optional(
    v.object({
      postgres_changes: v.optional(v.unknown(), []),
      private: v.nullish(v.boolean(), false),
      presence: v.fallback(v.nullish(v.looseObject({ enabled: v.optional(v.unknown()) })), null),
    }),
    {},
  ),
  access_token: v.nullish(v.string()),
});

const isShort = (ref: Ref): boolean => String(ref).length <= liveLimits.ref;

/** Checks a join: its form, who asks, and what for. */
async function admit(frame: Frame, socket: LiveSocket, at: number, parts: Parts): Promise<Result<Joined>> {
  const { env, admission, channels } = parts;
  const { topic, ref, joinRef } = frame;
  if (!/^realtime:./.test(topic) || topic.length > liveLimits.topic || !isShort(ref) || !isShort(joinRef)) {
    return invalid(
      `A join has a topic of at most ${liveLimits.topic} characters, which begins with realtime:, and references of at most ${liveLimits.ref}`,
    );
  }
  const payload = v.safeParse(joinPayload, frame.payload);
  if (!payload.success) {
    const path = v.getDotPath(payload.issues[0]);
    return invalid(`A join has a config and an access_token${path ? `: ${path} is invalid` : ''}`);
  }
  const { config, access_token } = payload.output;
  if (config.private) {
    return invalid('Private channels are not part of this service, which supports only postgres_changes');
  }
  if (channels.ofSocket(socket).size >= liveLimits.channels) {
    return fail<Failure>({ is: 'too many channels', limit: liveLimits.channels });
  }
  const identified = await identify(access_token, socket, env);
  if (!identified.ok) {
    return identified;
  }
  const { caller, expires } = identified.value;
  const bindings = planBindings(config.postgres_changes, caller);
  if (!bindings.ok) {
    return bindings;
  }
  const given = config.postgres_changes as object[];
  const own = { givenJson: JSON.stringify(given), bindings: bindings.value };
  const user = userOf(caller);
  const others = channels
    .ofUser(user)
    .map(({ joined, bindings: wanted }) => ({ ...joined, bindings: wanted }));
  const excess = admission.findExcess(socket, user) ?? findExcess(own, others);
  const expectsMore = config.presence?.enabled === true || given.length === 0;
  return excess ? fail(excess) : ok({ frame, at, socket, caller, expires, given, ...own, expectsMore });
}

/** Gives a channel its client's new token, or ends it when that is refused. */
async function renew(channel: Channel, payload: unknown, parts: Parts): Promise<Result<void>> {
  const { env, channels, accounts } = parts;
  const given = v.safeParse(v.object({ access_token: v.nullish(v.string()) }), payload);
  if (!given.success) {
    return ok(undefined);
  }
  const { socket, given: asked } = channel.joined;
  const identified = await identify(given.output.access_token, socket, env);
  if (!identified.ok) {
    return identified;
  }
  const { caller, expires } = identified.value;
  if (userOf(caller) !== userOf(channel.caller.caller)) {
    channel.fail('the access token is of another user: read again');
    return ok(undefined);
  }
  const bindings = planBindings(asked, caller);
  if (!bindings.ok) {
    return bindings;
  }
  const next = channels.callerFor(caller);
  const known = await accounts.know(next);
  if (known.ok) {
    channel.renew(next, expires, bindings.value);
  }
  return known;
}

type Identified = Pick<Joined, 'caller' | 'expires'>;

/** Identifies who listens. Without a token, as before a page has its own, only the holder of the secret key is somebody. */
async function identify(token: unknown, { opened }: LiveSocket, env: Env): Promise<Result<Identified>> {
  const unidentified = opened.isService ? ok({ caller: service, expires: null }) : signInFirst;
  if (typeof token !== 'string' || token === '') {
    return unidentified;
  }
  const caller = await identifyBearer(token, env);
  if (!caller.ok) {
    const counted = await countOrigin(opened.network, 'secret', env);
    return counted.ok ? caller : counted;
  }
  if (caller.value.kind === 'anon') {
    return unidentified;
  }
  if (isForServers(caller.value) && opened.isBrowser) {
    return fail<Failure>({ is: 'secret in browser', kind: caller.value.kind });
  }
  if (caller.value.kind === 'reader') {
    return fail<Failure>({ is: 'read key', refused: 'live' });
  }
  const counted = await countAccount(caller.value, env);
  return counted?.ok === false ? counted : ok({ caller: caller.value, expires: expiryOf(token) ?? null });
}

const signInFirst = fail<Failure>({ is: 'credentials missing', what: 'access token of a signed-in user' });
