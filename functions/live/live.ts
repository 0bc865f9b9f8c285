/**
 * The object that holds all sockets of live updates. While anybody listens it reads the feed each second, and at once when
 * a worker that wrote says so. Everything it must not forget is in attachments of the sockets and in its SQLite.
 */
import { DurableObject } from 'cloudflare:workers';
import { isFromBrowser } from '../caller/admit.ts';
import { identifyBearer } from '../caller/caller.ts';
import { networkOf } from '../caller/client-address.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import type { LiveObject, LiveStatus } from '../common/live-object.ts';
import { execute } from '../database/execute.ts';
import { crashLine } from '../log/crash-line.ts';
import { planBindings } from './bindings.ts';
import { Channels } from './channels.ts';
import { type Frame, parseFrame } from './frames.ts';
import { Protocol } from './protocol.ts';
import { Report } from './report.ts';
import { arrivedUpTo, endAbandoned, keepEnded } from './resume.ts';
import { Rounds } from './rounds.ts';
import { LiveSocket } from './socket.ts';
import { notYetLive, Store } from './store.ts';

/** Codes of RFC 6455, section 7.4.1. */
const closeCodes = { goingAway: 1001, policy: 1008, tooLarge: 1009 };

const execution = { login: 'api', callerKey: 'live', repeatable: true } as const;

type LiveCalls = Pick<LiveObject, 'nudge' | 'status'>;

export class Live extends DurableObject<Env> implements LiveCalls {
  readonly #store: Store;
  readonly #channels = new Channels();
  readonly #report = new Report();
  readonly #protocol: Protocol;
  readonly #rounds: Rounds;
  readonly #sockets = new Map<WebSocket, LiveSocket>();
  /** The messages of a socket are handled one after the other. */
  readonly #handled = new WeakMap<LiveSocket, Promise<void>>();
  #storedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new Store(ctx.storage.sql);
    const ask = (message: Parameters<typeof execute>[0]) => execute(message, env, execution);
    this.#protocol = new Protocol(
      {
        env,
        channels: this.#channels,
        store: this.#store,
        ask,
        isOpen: socket => [...this.#sockets.values()].includes(socket),
      },
      () => this.#report.missed(),
    );
    this.#rounds = new Rounds(this.#channels, this.#store, ask, this.#protocol, this.#report);
    this.#protocol.rounds = this.#rounds;
    this.#restore();
  }

  /** The upgrade of a request that upgrade.ts admitted. */
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const holder = await identifyBearer(url.searchParams.get('apikey') ?? '', this.env);
    const network = networkOf(request.headers.get('cf-connecting-ip') ?? '');
    const ofNetwork = [...this.#sockets.values()].filter(socket => socket.network === network);
    const { sockets, socketsOfNetwork } = limits.live;
    if (!holder.ok || this.#sockets.size >= sockets) {
      return new Response(null, { status: 503 });
    }
    if (ofNetwork.length >= socketsOfNetwork) {
      return new Response(null, { status: 429 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    const socket = LiveSocket.open(server, {
      version: url.searchParams.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0',
      isService: holder.value.kind === 'service',
      isBrowser: isFromBrowser(request.headers),
      network,
    });
    if (this.#sockets.size === 0) {
      this.#report.begin();
    }
    this.#sockets.set(server, socket);
    await this.#wake();
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(webSocket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const socket = this.#sockets.get(webSocket);
    if (!socket) {
      return;
    }
    const length = typeof message === 'string' ? message.length : message.byteLength;
    if (length > limits.live.message) {
      this.#close(webSocket, closeCodes.tooLarge, `A message has at most ${limits.live.message} characters`);
      return;
    }
    // Binary messages carry broadcasts, which there are none of here.
    const frame = typeof message === 'string' ? parseFrame(message, socket.version) : undefined;
    if (!socket.heard(Number(frame?.ref) || 0)) {
      this.#close(webSocket, closeCodes.policy, 'Too many messages in a short time');
      return;
    }
    if (frame?.topic === 'phoenix' && frame.event === 'heartbeat') {
      this.#protocol.heartbeat(frame, socket);
    } else if (frame) {
      await this.#handleInOrder(frame, socket);
    }
  }

  override webSocketClose(webSocket: WebSocket, code: number): void {
    this.#forget(webSocket, code === closeCodes.goingAway);
    try {
      webSocket.close();
    } catch {
      // It is closed already.
    }
  }

  override webSocketError(webSocket: WebSocket): void {
    this.#forget(webSocket, false);
  }

  override async alarm(): Promise<void> {
    try {
      this.#tidy();
      await this.#rounds.run();
      this.#report.write(this.#sockets.size, this.#channels.all.length);
    } catch (error) {
      console.error(crashLine(error as Error));
    }
    if (this.#sockets.size > 0) {
      await this.ctx.storage.setAlarm(Date.now() + limits.live.interval);
    }
  }

  async nudge(): Promise<boolean> {
    const listening = this.#channels.all.length > 0;
    if (listening) {
      await this.#rounds.run();
    }
    return listening;
  }

  async status(): Promise<LiveStatus> {
    return this.#channels.all.length === 0 ? 'idle' : this.#report.status;
  }

  /** Sockets and channels that were there before this object came into memory. */
  #restore(): void {
    for (const webSocket of this.ctx.getWebSockets()) {
      this.#sockets.set(webSocket, LiveSocket.restore(webSocket));
    }
    const byId = new Map([...this.#sockets.values()].map(socket => [socket.id, socket]));
    endAbandoned(new Set(byId.keys()), this.#store);
    for (const stored of this.#store.openChannels()) {
      const socket = byId.get(stored.socket);
      const bindings = planBindings(JSON.parse(stored.bindings), stored.caller);
      if (socket && bindings.ok) {
        const state = stored.liveFrom === notYetLive ? 'resuming' : 'live';
        this.#channels.add({ stored, socket, bindings: bindings.value, state, resumedBytes: 0 });
      }
    }
  }

  async #wake(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Date.now() + limits.live.interval);
    }
  }

  #handleInOrder(frame: Frame, socket: LiveSocket): Promise<void> {
    const handled = (this.#handled.get(socket) ?? Promise.resolve())
      .then(() => this.#protocol.handle(frame, socket))
      .catch(error => console.error(crashLine(error as Error)));
    this.#handled.set(socket, handled);
    return handled;
  }

  /** Closes what is silent, slow or expired, and stores now and then what has arrived everywhere. */
  #tidy(): void {
    for (const [webSocket, socket] of this.#sockets) {
      const { fault } = socket;
      if (fault !== undefined) {
        this.#close(webSocket, closeCodes.policy, fault);
      }
    }
    const expired = Date.now() / 1000 - limits.token.clockTolerance;
    for (const channel of this.#channels.all) {
      if (channel.stored.expires !== null && channel.stored.expires < expired) {
        this.#protocol.expire(channel);
      }
    }
    if (Date.now() - this.#storedAt > limits.live.storeInterval) {
      this.#storedAt = Date.now();
      const told = this.#channels.all.filter(({ state }) => state !== 'joining');
      this.#store.acknowledged = Math.min(this.#rounds.n, ...told.map(arrivedUpTo));
      this.#store.forgetOld();
    }
  }

  #close(webSocket: WebSocket, code: number, reason: string): void {
    this.#sockets.get(webSocket)?.close(code, reason);
    this.#forget(webSocket, false);
  }

  /** `isGone`: the page was closed, so that nobody comes back. */
  #forget(webSocket: WebSocket, isGone: boolean): void {
    const socket = this.#sockets.get(webSocket);
    for (const channel of socket ? this.#channels.ofSocket(socket) : []) {
      this.#channels.remove(channel);
      if (isGone) {
        this.#store.removeChannel(channel.stored.id);
      } else {
        keepEnded(channel, this.#store);
      }
    }
    this.#sockets.delete(webSocket);
  }
}
