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
import { execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { Accounts } from './accounts.ts';
import { CatchUp } from './catch-up.ts';
import { isLiveProven, provenRound } from './channel.ts';
import { Channels } from './channels.ts';
import type { Ask } from './feed.ts';
import { Inbox, type InboxParts } from './inbox.ts';
import { Joins } from './join.ts';
import { Places } from './places.ts';
import { Poll } from './poll.ts';
import { Protocol } from './protocol.ts';
import { Report } from './report.ts';
import { restore } from './restore.ts';
import { LiveSocket } from './socket.ts';
import { Sockets } from './sockets.ts';
import { Store } from './store.ts';
import { keyKindHeader } from './upgrade.ts';

/** Codes of RFC 6455, section 7.4.1. */
const closeCodes = { policy: 1008, tooLarge: 1009 };

type LiveCalls = Pick<LiveObject, 'nudge' | 'status'>;

export class Live extends DurableObject<Env> implements LiveCalls {
  readonly #store: Store;
  readonly #channels = new Channels();
  readonly #sockets = new Sockets();
  readonly #report = new Report();
  /** Over Hyperdrive. */
  readonly #held: HeldConnection[] = [];
  readonly #accounts: Accounts;
  readonly #places: Places;
  readonly #poll: Poll;
  readonly #catchUp: CatchUp;
  readonly #protocol: Protocol;
  readonly #inboxes = new WeakMap<LiveSocket, Inbox>();
  #storedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new Store(ctx.storage.sql);
    // One connection for what is new, and one for those who join or come back: neither waits for the other.
    const [ask, askBeside] = [this.#asking(), this.#asking()];
    const shared = {
      env,
      channels: this.#channels,
      sockets: this.#sockets,
      store: this.#store,
      report: this.#report,
    };
    const missed: Protocol['missed'] = (channel, why) => this.#protocol.missed(channel, why);
    const accounts = new Accounts(askBeside);
    const poll = new Poll({ ...shared, ask, missed });
    const catchUp = new CatchUp({ ...shared, accounts, poll, ask: askBeside, missed });
    const places = new Places({ ...shared, poll });
    const joins = new Joins({ ...shared, accounts, places, poll, catchUp });
    this.#accounts = accounts;
    this.#places = places;
    this.#poll = poll;
    this.#catchUp = catchUp;
    this.#protocol = new Protocol({ ...shared, accounts, poll, joins });
    restore(ctx.getWebSockets(), { ...shared, poll, catchUp });
  }

  /** The upgrade of a request that upgrade.ts admitted; another response has the failure of one that is not admitted here. */
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
      this.#tidy();
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

  /** Asks the database, one message at a time over Hyperdrive. */
  #asking(): Ask {
    const { env } = this;
    const held = env.HYPERDRIVE && new HeldConnection(env.HYPERDRIVE);
    this.#held.push(...(held ? [held] : []));
    return async message => {
      const rows = await execute(message, env, { login: 'api', callerKey: 'live', repeatable: true, held });
      this.#endUnused();
      return rows;
    };
  }

  /** With the last socket the connections end, also when somebody's message was under way then. */
  #endUnused(): void {
    if (this.#sockets.size === 0) {
      for (const connection of this.#held) {
        connection.end();
      }
    }
  }

  async #wake(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Date.now() + limits.live.interval);
    }
  }

  readonly #inboxParts: InboxParts = {
    count: socket => this.#sockets.count(socket, this.#channels.countOf(socket)),
    handle: async (frame, socket) => {
      try {
        return await this.#protocol.handle(frame, socket);
      } catch (error) {
        this.#report.crashed(error);
        return 'handled';
      }
    },
  };

  #inboxOf(socket: LiveSocket): Inbox {
    const inbox = this.#inboxes.get(socket) ?? new Inbox(socket, this.#inboxParts);
    this.#inboxes.set(socket, inbox);
    return inbox;
  }

  /** Closes what is silent, expired or holds too much, and stores now and then what has arrived everywhere. */
  #tidy(): void {
    const largest = new Set(this.#sockets.largest());
    for (const [webSocket, socket] of this.#sockets.entries) {
      const fault = largest.has(socket) ? 'Connect again: much was sent to this user' : socket.fault;
      if (fault !== undefined && !socket.isClosing) {
        this.#close(webSocket, closeCodes.policy, fault);
      }
    }
    const expired = Date.now() / 1000 - limits.token.clockTolerance;
    for (const channel of this.#channels.all) {
      if (channel.expires !== null && channel.expires < expired) {
        this.#protocol.expire(channel);
      }
    }
    if (Date.now() - this.#storedAt > limits.live.storeInterval) {
      this.#storedAt = Date.now();
      this.#storeArrived();
      this.#places.settle();
    }
  }

  /** What has arrived on all channels whose first changes have arrived; the store knows of the others by themselves. */
  #storeArrived(): void {
    let arrived = this.#poll.latestRound;
    for (const channel of this.#channels.all.filter(isLiveProven)) {
      arrived = Math.min(arrived, provenRound(channel));
      if (!channel.isProven) {
        channel.isProven = true;
        this.#store.setProven(channel.id);
      }
    }
    this.#store.arrived = arrived;
    this.#store.forgetOld();
  }

  /** Its channels end now, and what was sent on it counts until its end. */
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
    this.#endUnused();
  }

  /** Also of a page that was closed: a browser may keep it, and bring it back. */
  #endChannels(socket: LiveSocket): void {
    for (const channel of this.#channels.ofSocket(socket)) {
      this.#protocol.end(channel);
    }
  }
}
