/** What workers call of the object that holds the sockets of live updates; functions/live/live.ts is that object. */
export interface LiveObject extends Rpc.DurableObjectBranded {
  /** Reads the feed now. Resolves when that is done, to whether anybody listens. */
  nudge(): Promise<boolean>;
  /** Whether the feed is read: `idle` when nobody listens. */
  status(): Promise<LiveStatus>;
}

export type LiveStatus = 'idle' | 'reading' | 'late';
