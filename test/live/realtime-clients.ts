/** The versions of Supabase's client for live updates that the service is tried with. */
import WebSocket from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: clients of many versions
export type Realtime = any;

export interface RealtimeVersion {
  version: string;
  load(): Promise<{ RealtimeClient: Realtime }>;
}

const packages = {
  '2.10.7': 'realtime-js-2.10',
  '2.84.0': 'realtime-js-2.84',
  '2.95.0': 'realtime-js-2.95',
  // Of the supabase-js that `npm ci` installs.
  '2.109.0': '@supabase/supabase-js',
  '2.119.1': 'realtime-js-newest',
};
export const realtimeVersions: RealtimeVersion[] = Object.entries(packages).map(([version, name]) => ({
  version,
  load: () => import(name),
}));

/** The first doesn't open a transport that it is given, but brings its own. */
export const transportOf = (version: string) =>
  version.startsWith('2.10.') ? {} : { transport: WebSocket as Realtime };

/** One of each kind that reconnects in its own way; npm test tries the first. */
export const reconnectingVersions = ['2.109.0', '2.84.0', '2.10.7', '2.95.0'].flatMap(kind =>
  realtimeVersions.filter(({ version }) => version === kind),
);
