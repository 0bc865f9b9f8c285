/**
 * An object that holds sockets of live updates, all in memory; nothing is stored. While it has any it polls the feed each
 * half second, and at once when a worker that wrote nudges it.
 *
 * Cloudflare evicts an object with ordinary sockets after 70 to 140 s without a request or an event
 * (developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle). Clients' heartbeats, every 25 to 30 s, are
 * events; its timer is none. When it goes, its sockets end, and their clients reconnect, join and read again.
 */
import { DurableObject } from 'cloudflare:workers';
import { isFromBrowser } from '../caller/origin.ts';
import { originOf } from '../caller/rate-limit.ts';
import type { Env, LiveObject, LiveStatus } from '../common/env.ts';
import { writeLog } from '../common/write-log.ts';
import { execute, type SendMessage } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { Accounts } from './accounts.ts';
import { Channels } from './channels.ts';
import { Feed } from './feed.ts';
import { Report } from './live-report.ts';
import { type Fault, type Frame, type Handler, LiveSocket } from './live-socket.ts';
import { publish } from './publish.ts';
import { Sockets } from './sockets.ts';
import { keyKindHeader, objectHeader } from './upgrade.ts';

/** Milliseconds from the beginning of a reading of the feed to that of the next, while anybody listens. */
const pollInterval = 500;

export class Live extends DurableObject<Env> implements Pick<LiveObject, 'nudge' | 'status'> {
  /** Connections over Hyperdrive: nothing reclaims those of an object. */
  readonly #held: HeldConnection[] = [];
  // The first reads the feed and the second the accounts of those who join: neither waits for the other.
  readonly #ask = this.#asker();
  readonly #accounts = new Accounts(this.#asker(), caller => {
    const gained = this.#channels.all.filter(channel => channel.caller === caller);
    this.#channels.miss(gained, 'accounts');
  });
  readonly #report = new Report();
  readonly #sockets = new Sockets(this.env.LIVE_SOCKETS ? Number(this.env.LIVE_SOCKETS) : undefined);
  readonly #feed = new Feed({
    ask: this.#ask,
    isAwaited: () => !this.#channels.isEmpty,
    gap: () => this.#channels.miss(this.#channels.all, 'gap'),
    publish: changes => publish(changes, this.#parts),
    read: result => this.#report.read(result),
    crashed: this.#report.crashed,
  });
  readonly #channels = new Channels({
    env: this.env,
    sockets: this.#sockets,
    accounts: this.#accounts,
    feed: this.#feed,
    report: this.#report,
  });
  readonly #parts = {
    ask: this.#ask,
    channels: this.#channels,
    sockets: this.#sockets,
    report: this.#report,
  };
  readonly #handler: Handler = {
    countMessage: socket => this.#sockets.countMessage(socket, this.#channels.ofSocket(socket).size),
    handle: async (frame, socket, at) =>
      (await this.#handle(frame, socket, at).catch(this.#report.crashed)) === true,
  };
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Opens the socket of a request from upgrade(). The response to one that is not admitted has the failure. */
  override async fetch({ url, headers }: Request): Promise<Response> {
    const network = originOf(headers);
    const excess = this.#sockets.findExcess(network);
    if (excess) {
      return Response.json(excess, { status: 429 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    const socket = new LiveSocket(server, {
      version: new URL(url).searchParams.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0',
      isService: headers.get(keyKindHeader) === 'service',
      isBrowser: isFromBrowser(headers),
      network,
    });
    this.#report.number = Number(headers.get(objectHeader));
    this.#listen(server, socket);
    this.#sockets.add(socket);
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
      if (!socket.isClosing) {
        const fault = await socket.receive(data as string | ArrayBuffer, this.#handler);
        if (fault && !socket.isClosing) {
          this.#close(socket, fault);
        }
      }
    });
    server.addEventListener('close', () => this.#ended(socket));
    server.addEventListener('error', () => this.#ended(socket));
    if (this.#timer === undefined) {
      this.#report.begin();
      this.#timer = setInterval(() => this.#tick().catch(this.#report.crashed), pollInterval);
    }
  }

  /** Handles a message that came at this time. Resolves to whether it was a join that is refused, other than for no token. */
  async #handle(frame: Frame, socket: LiveSocket, at: number): Promise<boolean> {
    const channel = this.#channels.ofSocket(socket).get(frame.topic);
    switch (frame.event) {
      case 'heartbeat':
        socket.heartbeat(frame);
        break;
      case 'phx_join':
        return this.#channels.join(frame, socket, at);
      case 'phx_leave':
        socket.reply(frame, 'ok', {});
        channel?.leave();
        break;
      case 'access_token':
        if (channel) {
          await this.#channels.renew(channel, frame.payload);
        }
        break;
      case 'broadcast':
      case 'presence': {
        const words = `this service supports only postgres_changes, no ${frame.event}`;
        socket.reply(frame, 'error', { reason: words });
        channel?.sendSystem('error', words);
      }
    }
    return false;
  }

  async #tick(): Promise<void> {
    for (const [socket, fault] of this.#sockets.faults()) {
      this.#close(socket, fault);
    }
    for (const channel of this.#channels.all) {
      channel.endIfDue();
    }
    const channels = this.#channels.all;
    this.#accounts.refresh(new Set(channels.map(({ caller }) => caller)));
    const line = this.#report.line({ ...this.#sockets.counts, channels: channels.length });
    if (line) {
      writeLog(line);
    }
    await this.#feed.poll();
  }

  /** Closes a socket. Its channels end now, and the socket itself when its client has answered. */
  #close(socket: LiveSocket, fault: Fault): void {
    this.#report.count('closed', fault.reason);
    socket.close(fault);
    this.#dropChannels(socket);
  }

  #ended(socket: LiveSocket): void {
    this.#dropChannels(socket);
    this.#sockets.remove(socket);
    socket.close();
    if (this.#sockets.isEmpty) {
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
  #asker(): SendMessage {
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
    if (this.#sockets.isEmpty) {
      for (const connection of this.#held) {
        connection.end();
      }
    }
  }
}
