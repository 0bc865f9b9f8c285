/** V8's heap in workerd, as its inspector tells (Chrome DevTools Protocol). */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { loopback } from '../../../functions/local/port.ts';

/** Megabytes of what lives in the worker's isolate, its objects included: all garbage is collected first. */
export async function heapMegabytes(inspectorPort: number): Promise<number> {
  const inspector = new WebSocket(`ws://${loopback}:${inspectorPort}/core:user:all`);
  await once(inspector, 'open');
  const send = (id: number, method: string) => inspector.send(JSON.stringify({ id, method }));
  try {
    // workerd collects it, and answers late or never.
    send(1, 'HeapProfiler.collectGarbage');
    await sleep(500);
    const usage = new Promise<number>(resolve =>
      inspector.on('message', data => {
        const { id, result } = JSON.parse(String(data));
        if (id === 2) {
          resolve(result.usedSize / 2 ** 20);
        }
      }),
    );
    send(2, 'Runtime.getHeapUsage');
    return await usage;
  } finally {
    inspector.close();
  }
}
