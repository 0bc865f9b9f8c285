/** The versions of Supabase's client for live updates that the service is tried with. */
import WebSocket from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: clients of many versions
export type Realtime = any;

export interface RealtimeVersion {
  version: string;
  load(): Promise<{ RealtimeClient: Realtime }>;
}

export const realtimeVersions: RealtimeVersion[] = [
  { version: '2.10.7', load: () => import('realtime-js-2.10') },
  { version: '2.84.0', load: () => import('realtime-js-2.84') },
  { version: '2.95.0', load: () => import('realtime-js-2.95') },
  // Of the supabase-js that `npm ci` installs.
  { version: '2.109.0', load: () => import('@supabase/supabase-js') },
  { version: '2.119.1', load: () => import('realtime-js-newest') },
];

/** The first doesn't open a transport that it is given, but brings its own. */
export const transportOf = (version: string) =>
  version.startsWith('2.10.') ? {} : { transport: WebSocket as Realtime };

/** One of each kind that reconnects in its own way; npm test tries the first. */
export const reconnectingVersions = ['2.109.0', '2.84.0', '2.10.7', '2.95.0'].flatMap(kind =>
  realtimeVersions.filter(({ version }) => version === kind),
);
