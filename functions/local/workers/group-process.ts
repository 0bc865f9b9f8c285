/**
 * The process that runs several workerd processes for `npm start -- --workers <n>`, which it starts again when they end. As
 * worker-process.ts it has its own session, and ends when its parent ends in any way.
 */
import { stopReadingWhenPaused } from '../log-output.ts';
import { serveForParent } from '../parent.ts';
import { readWorkerOptions } from '../worker.ts';
import { ConfigGenerator } from './generate-config.ts';
import { WorkerdGroup } from './workerd-group.ts';

const [, , size] = process.argv;
const options = readWorkerOptions();
const configs = new ConfigGenerator();
const group = new WorkerdGroup(Number(size));

stopReadingWhenPaused();
process.on('exit', () => group.kill());
serveForParent({
  async serve(request) {
    await group.serve(await configs.generate({ ...request, options: await options }));
    return request.port;
  },
  async stop() {
    await group.stop();
    await configs.dispose();
  },
});
