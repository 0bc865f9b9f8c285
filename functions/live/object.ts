/**
 * An object that holds sockets of live updates, all in memory. While it has any it polls the feed each half second, and at
 * once when a worker that wrote nudges it.
 *
 * Cloudflare evicts an object with ordinary sockets after 70 to 140 s without a request or an event
 * (developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle). Clients' heartbeats, every 25 to 30 s, are
 * events; its timer is none. When it goes, its sockets end, and their clients reconnect, join and read again.
 */
import { DurableObject } from 'cloudflare:workers';
import { originOf } from '../admission/rate-limit.ts';
import { isFromBrowser } from '../caller/origin.ts';
import type { Env, LiveObject, LiveStatus } from '../common/env.ts';
import { execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { Accounts } from './accounts.ts';
import { Admission, tooManyUnjoined } from './admission.ts';
import { type Channel, Channels } from './channel.ts';
import { type Ask, Feed } from './feed.ts';
import { liveLimits } from './limits.ts';
import { handle } from './protocol.ts';
import { publish } from './publish.ts';
import { type MissedWhy, Report } from './report.ts';
import { type Fault, type Handler, LiveSocket } from './socket.ts';
import { keyKindHeader, objectHeader } from './upgrade.ts';

export class Live extends DurableObject<Env> implements Pick<LiveObject, 'nudge' | 'status'> {
  readonly #report = new Report();
  readonly #admission = new Admission();
  readonly #channels = new Channels();
  /** Connections over Hyperdrive: nothing reclaims those of an object. */
  readonly #held: HeldConnection[] = [];
  // The first reads the feed and the second the accounts of those who join: neither waits for the other.
  readonly #ask = this.#asker();
  readonly #accounts = new Accounts(this.#asker(), ({ channels }) => this.#missed(channels, 'accounts'));
  readonly #feed = new Feed({
    ask: this.#ask,
    isAwaited: () => !this.#channels.isEmpty,
    gap: () => this.#missed(this.#channels.all, 'gap'),
    publish: changes => publish(changes, this.#parts),
    read: result => this.#report.read(result),
    crashed: this.#report.crashed,
  });
  readonly #parts = {
    env: this.env,
    channels: this.#channels,
    admission: this.#admission,
    accounts: this.#accounts,
    feed: this.#feed,
    report: this.#report,
    ask: this.#ask,
    live: () => this.#channels.all.filter(({ isLive }) => isLive),
    missed: (channels: Iterable<Channel>, why: MissedWhy) => this.#missed(channels, why),
  };
  readonly #handler: Handler = {
    count: socket => this.#admission.count(socket, this.#channels.ofSocket(socket).size),
    handle: async (frame, socket, at) =>
      (await handle(frame, socket, at, this.#parts).catch(this.#report.crashed)) === true,
  };
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // Nothing is stored. An object of an earlier version may have tables and an alarm.
    ctx.blockConcurrencyWhile(() => ctx.storage.deleteAll());
  }

  /** Upgrades a request that objects.ts admitted. The response to one that is not admitted here has the failure. */
  override async fetch(request: Request): Promise<Response> {
    const { headers } = request;
    const network = originOf(headers);
    const admitted = await this.#admission.admit(network);
    if (!admitted.ok) {
      return Response.json(admitted.failure, { status: 429 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    const socket = new LiveSocket(server, {
      version: new URL(request.url).searchParams.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0',
      isService: headers.get(keyKindHeader) === 'service',
      isBrowser: isFromBrowser(headers),
      network,
    });
    this.#report.number = Number(headers.get(objectHeader));
    this.#listen(server, socket);
    const oldest = this.#admission.add(socket);
    if (oldest) {
      this.#close(oldest, tooManyUnjoined);
    }
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Reads the feed. Resolves to whether anybody listens. */
  async nudge(): Promise<boolean> {
    if (!this.#channels.isEmpty) {
      await this.#feed.poll();
    }
    return !this.#channels.isEmpty;
  }

  async status(): Promise<LiveStatus> {
    return this.#channels.isEmpty ? 'idle' : this.#report.status;
  }

  #listen(server: WebSocket, socket: LiveSocket): void {
    // By default the data of a binary message is a Blob, whose length is known by another name.
    server.binaryType = 'arraybuffer';
    server.accept();
    server.addEventListener('message', async ({ data }) => {
      if (socket.isClosing) {
        return;
      }
      const fault = await socket.receive(data as string | ArrayBuffer, this.#handler);
      if (fault && !socket.isClosing) {
        this.#close(socket, fault);
      }
    });
    server.addEventListener('close', () => {
      this.#ended(socket);
      socket.close();
    });
    server.addEventListener('error', () => this.#ended(socket));
    if (this.#timer === undefined) {
      this.#report.begin();
      this.#timer = setInterval(() => this.#tick().catch(this.#report.crashed), liveLimits.interval);
    }
  }

  async #tick(): Promise<void> {
    const now = Date.now();
    for (const [socket, fault] of this.#admission.faults()) {
      this.#close(socket, fault);
    }
    for (const channel of this.#channels.all) {
      channel.endIfDue(now);
    }
    this.#accounts.refresh(this.#channels.callers);
    this.#report.write(() => ({ ...this.#admission.counts, channels: this.#channels.size }));
    await this.#feed.poll();
  }

  #missed(channels: Iterable<Channel>, why: MissedWhy): void {
    for (const channel of [...channels].filter(({ isLive }) => isLive)) {
      this.#report.count('missed', why);
      channel.miss();
    }
  }

  /** Closes a socket. Its channels end now, and the socket itself when its client has answered. */
  #close(socket: LiveSocket, fault: Fault): void {
    this.#report.count('closed', fault.reason);
    this.#admission.close(socket);
    socket.close(fault);
    this.#dropChannels(socket);
  }

  #ended(socket: LiveSocket): void {
    this.#dropChannels(socket);
    this.#admission.remove(socket);
    socket.isClosing = true;
    if (this.#admission.counts.sockets === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#endUnused();
    }
  }

  #dropChannels(socket: LiveSocket): void {
    for (const channel of this.#channels.ofSocket(socket).values()) {
      channel.drop();
    }
  }

  /** Returns a way to ask that waits for no other, with a connection of its own over Hyperdrive. */
  #asker(): Ask {
    const { env } = this;
    const held = env.HYPERDRIVE && new HeldConnection(env.HYPERDRIVE);
    if (held) {
      this.#held.push(held);
    }
    return async message => {
      const rows = await execute(message, env, { login: 'api', callerKey: 'live', repeatable: true, held });
      this.#endUnused();
      return rows;
    };
  }

  /** Ends the connections with the last socket, also when a message was under way then. */
  #endUnused(): void {
    if (this.#admission.counts.sockets === 0) {
      for (const connection of this.#held) {
        connection.end();
      }
    }
  }
}
