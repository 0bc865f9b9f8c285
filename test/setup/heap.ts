/** What the isolates of a workerd still hold after a garbage collection, by V8's inspector. */
import { once } from 'node:events';
import WebSocket from 'ws';
import { loopback } from '../../functions/local/port.ts';

const ownWorker = 'core:user:';

/** Collects the garbage of each isolate. Returns the megabytes that it still holds, by the name of its worker. */
export async function heapsOf(inspectorPort: number): Promise<Record<string, number>> {
  const root = `${loopback}:${inspectorPort}`;
  const targets = (await (await fetch(`http://${root}/json`)).json()) as { id: string }[];
  const heaps: Record<string, number> = {};
  for (const { id } of targets.filter(target => target.id.startsWith(ownWorker))) {
    heaps[id.slice(ownWorker.length)] = await heapOf(`ws://${root}/${id}`);
  }
  return heaps;
}

interface Message {
  id?: number;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the protocol says of a method
  result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  params?: any;
}

/** Speaks https://chromedevtools.github.io/devtools-protocol/v8/. */
async function heapOf(url: string): Promise<number> {
  const socket = new WebSocket(url);
  const waiting = new Map<number | string, (message: Message) => void>();
  socket.on('message', data => {
    const message: Message = JSON.parse(String(data));
    waiting.get(message.id ?? message.method ?? '')?.(message);
  });
  await once(socket, 'open');
  let last = 0;
  const call = (method: string, params: object = {}): Promise<Message['result']> => {
    const id = ++last;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise(resolve => waiting.set(id, ({ result }) => resolve(result)));
  };
  const context = new Promise<Message>(resolve => waiting.set('Runtime.executionContextCreated', resolve));
  await call('Runtime.enable');
  const { id: contextId } = (await context).params.context;
  // The inspector itself holds what was logged.
  await call('Runtime.discardConsoleEntries');
  const { result } = await call('Runtime.evaluate', { expression: 'WeakRef.prototype', contextId });
  // workerd never runs the task of HeapProfiler.collectGarbage. This collects everything before it looks.
  await call('Runtime.queryObjects', { prototypeObjectId: result.objectId, objectGroup: 'found' });
  await call('Runtime.releaseObjectGroup', { objectGroup: 'found' });
  const { usedSize, backingStorageSize = 0 } = await call('Runtime.getHeapUsage');
  socket.close();
  await once(socket, 'close');
  return (usedSize + backingStorageSize) / 2 ** 20;
}
