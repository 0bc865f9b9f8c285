/** V8's heap in workerd, as its inspector tells (Chrome DevTools Protocol). */
import { once } from 'node:events';
import WebSocket from 'ws';
import { loopback } from '../../../functions/local/port.ts';

/** Megabytes of what lives in the worker's isolate, its objects included: all garbage is collected first. */
export async function heapMegabytes(inspectorPort: number): Promise<number> {
  const inspector = new WebSocket(`ws://${loopback}:${inspectorPort}/core:user:all`);
  await once(inspector, 'open');
  const call = async (id: number, method: string) => {
    inspector.send(JSON.stringify({ id, method }));
    for (;;) {
      const [data] = await once(inspector, 'message');
      const answer = JSON.parse(String(data));
      if (answer.id === id) {
        return answer.result;
      }
    }
  };
  try {
    await call(1, 'HeapProfiler.collectGarbage');
    return (await call(2, 'Runtime.getHeapUsage')).usedSize / 2 ** 20;
  } finally {
    inspector.close();
  }
}
