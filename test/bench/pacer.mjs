/**
 * A thread that says when the next request is due, to about a tenth of a millisecond: timers know whole ones. It is
 * JavaScript, since a worker thread of Node 20 loads no TypeScript.
 */
import { parentPort, workerData } from 'node:worker_threads';

const { rate, count } = workerData;
const now = () => performance.timeOrigin + performance.now();
// Not when the thread was asked for: what was due while it started would be sent at once.
const start = now();
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

for (let index = 0; index < count; index++) {
  const due = start + (index * 1000) / rate;
  Atomics.wait(nobodyWakes, 0, 0, Math.max(0, due - now()));
  parentPort?.postMessage(due);
}
