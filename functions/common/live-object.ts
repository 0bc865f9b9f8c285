/** What workers call of an object that holds sockets of live updates; functions/live/object.ts is that object. */
export interface LiveObject extends Rpc.DurableObjectBranded {
  /** Reads the feed now. Resolves when that is done, to whether anybody listens. */
  nudge(): Promise<boolean>;
  /** Whether the feed is read: `idle` when nobody listens. */
  status(): Promise<LiveStatus>;
}

export type LiveStatus = 'idle' | 'reading' | 'late';
