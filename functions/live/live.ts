/**
 * The object that holds all sockets of live updates. While anybody listens it polls the feed each half second, and at once
 * when a worker that wrote says so. Everything it must not forget is in attachments of the sockets and in its SQLite.
 */
import { DurableObject } from 'cloudflare:workers';
import { originOf } from '../admission/rate-limit.ts';
import { isFromBrowser } from '../caller/from-browser.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import type { LiveObject, LiveStatus } from '../common/live-object.ts';
import { Accounts } from './accounts.ts';
import { CatchUp } from './catch-up.ts';
import { Channels } from './channels.ts';
import { Inbox } from './inbox.ts';
import { Joins } from './join.ts';
import { LiveDatabase } from './live-database.ts';
import { Places } from './places.ts';
import { Poll } from './poll.ts';
import { Protocol } from './protocol.ts';
import { Report } from './report.ts';
import { restore } from './restore.ts';
import { LiveSocket } from './socket.ts';
import { Sockets } from './sockets.ts';
import { Store } from './store.ts';
import { Tidying } from './tidying.ts';
import { keyKindHeader } from './upgrade.ts';

/** Codes of RFC 6455, section 7.4.1. */
const closeCodes = { policy: 1008, tooLarge: 1009 };

export class Live extends DurableObject<Env> implements Pick<LiveObject, 'nudge' | 'status'> {
  readonly #channels = new Channels();
  readonly #sockets = new Sockets();
  readonly #report = new Report();
  readonly #database = new LiveDatabase(this.env, this.#sockets);
  // The first reads what is new, the second what clients missed and whose changes they see: neither waits for the other.
  readonly #ask = this.#database.asker();
  readonly #askBeside = this.#database.asker();
  readonly #shared = {
    env: this.env,
    channels: this.#channels,
    sockets: this.#sockets,
    store: new Store(this.ctx.storage.sql),
    report: this.#report,
  };
  readonly #missed: Protocol['missed'] = (channel, why) => this.#protocol.missed(channel, why);
  readonly #accounts = new Accounts(this.#askBeside);
  readonly #poll = new Poll({ ...this.#shared, ask: this.#ask, missed: this.#missed });
  readonly #parts = { ...this.#shared, accounts: this.#accounts, poll: this.#poll };
  readonly #catchUp = new CatchUp({ ...this.#parts, ask: this.#askBeside, missed: this.#missed });
  readonly #places = new Places(this.#parts);
  readonly #joins = new Joins({ ...this.#parts, places: this.#places, catchUp: this.#catchUp });
  readonly #protocol: Protocol = new Protocol({ ...this.#parts, joins: this.#joins });
  readonly #inboxes = new WeakMap<LiveSocket, Inbox>();
  readonly #tidying = new Tidying({
    ...this.#parts,
    places: this.#places,
    protocol: this.#protocol,
    close: (webSocket, reason) => this.#close(webSocket, closeCodes.policy, reason),
  });

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    restore(ctx.getWebSockets(), { ...this.#parts, catchUp: this.#catchUp });
  }

  /** Upgrades a request that upgrade.ts admitted. The response to one that is not admitted here has the failure. */
  override async fetch(request: Request): Promise<Response> {
    const network = originOf(request.headers);
    const admitted = this.#sockets.admit(network);
    if (!admitted.ok) {
      return Response.json(admitted.failure, { status: 429 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    const socket = LiveSocket.open(server, {
      version: new URL(request.url).searchParams.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0',
      isService: request.headers.get(keyKindHeader) === 'service',
      isBrowser: isFromBrowser(request.headers),
      network,
    });
    if (this.#sockets.size === 0) {
      this.#report.begin();
    }
    const oldest = this.#sockets.add(server, socket);
    if (oldest) {
      this.#close(oldest, closeCodes.policy, 'Too many sockets have joined no channel');
    }
    await this.#wake();
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(webSocket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const socket = this.#sockets.get(webSocket);
    if (!socket || socket.isClosing) {
      return;
    }
    const length = typeof message === 'string' ? message.length : message.byteLength;
    if (length > limits.live.message) {
      this.#close(webSocket, closeCodes.tooLarge, `A message has at most ${limits.live.message} characters`);
      return;
    }
    // Binary messages carry broadcasts, which there are none of here.
    const text = typeof message === 'string' ? message : '';
    if (!(await this.#inboxOf(socket).take(text))) {
      this.#close(webSocket, closeCodes.policy, 'Too many messages in a short time');
    }
  }

  override webSocketClose(webSocket: WebSocket): void {
    this.#ended(webSocket);
    try {
      webSocket.close();
    } catch {
      // It is closed already.
    }
  }

  override webSocketError(webSocket: WebSocket): void {
    this.#ended(webSocket);
  }

  override async alarm(): Promise<void> {
    const began = Date.now();
    try {
      this.#tidying.run();
      this.#accounts.refresh(this.#channels.callers);
      await this.#poll.run();
      this.#report.write({
        sockets: this.#sockets.size,
        closing: this.#sockets.closing,
        channels: this.#channels.size,
        joining: this.#accounts.waiting,
        resuming: this.#catchUp.size,
      });
    } catch (error) {
      this.#report.crashed(error);
    } finally {
      if (this.#sockets.size > 0) {
        await this.ctx.storage.setAlarm(began + limits.live.interval);
      }
    }
  }

  async nudge(): Promise<boolean> {
    const listening = this.#channels.size > 0;
    if (listening) {
      await this.#poll.run();
    }
    return listening;
  }

  async status(): Promise<LiveStatus> {
    return this.#channels.size === 0 ? 'idle' : this.#report.status;
  }

  async #wake(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Date.now() + limits.live.interval);
    }
  }

  #inboxOf(socket: LiveSocket): Inbox {
    const inbox =
      this.#inboxes.get(socket) ?? new Inbox(socket, { ...this.#shared, protocol: this.#protocol });
    this.#inboxes.set(socket, inbox);
    return inbox;
  }

  /** Closes a socket. Its channels end now, and what was sent on it counts until its end. */
  #close(webSocket: WebSocket, code: number, reason: string): void {
    const socket = this.#sockets.get(webSocket);
    if (socket) {
      this.#report.closed(reason);
      this.#sockets.close(socket, code, reason);
      this.#endChannels(socket);
    }
  }

  #ended(webSocket: WebSocket): void {
    const socket = this.#sockets.get(webSocket);
    if (socket) {
      this.#endChannels(socket);
      this.#sockets.remove(webSocket);
    }
    this.#database.endUnused();
  }

  /** Ends the channels, also of a page that was closed: a browser may keep it, and bring it back. */
  #endChannels(socket: LiveSocket): void {
    for (const channel of this.#channels.ofSocket(socket)) {
      this.#protocol.end(channel);
    }
  }
}
