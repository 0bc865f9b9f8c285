/**
 * For lean-workerd.sh: reads the configuration that miniflare made for workerd from stdin, writes it into the file it is
 * told with flags for V8 and without miniflare's own worker in the way, and prints where workerd is.
 */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arrayBuffer } from 'node:stream/consumers';
import { CompositeList, Message, ObjectSize, Struct, TextList, utils } from 'capnp-es';

/**
 * A service whose rows live for milliseconds needs little memory, but V8 collects nothing before there is much: 230 MB
 * resident under load became 140, and the slowest hundredth of reads took 14 ms instead of 22 (`npm run bench`).
 */
const flags = ['--max-semi-space-size=4', '--single-threaded-gc'];

/**
 * Miniflare has a worker of its own answer the socket and ask ours. It would double what a request costs, and believes
 * headers (`MF-…`) that anybody can send.
 */
const miniflaresWorker = 'core:entry';
const ourWorker = 'core:user:all';

// Of workerd.capnp, which the package workerd has: what matters here, by the places of pointers.

class ServiceDesignator extends Struct {
  static override readonly _capnp = {
    displayName: 'ServiceDesignator',
    id: 'ae8ec91cee724450',
    size: new ObjectSize(8, 3),
  };
  static readonly serviceName = 0;
}

class Socket extends Struct {
  static override readonly _capnp = {
    displayName: 'Socket',
    id: '9a0eba45530ee79f',
    size: new ObjectSize(8, 5),
  };
  static readonly service = 4;
}

class Config extends Struct {
  static override readonly _capnp = {
    displayName: 'Config',
    id: '8794486c76aaa7d6',
    size: new ObjectSize(8, 6),
  };
  static readonly sockets = 1;
  static readonly v8Flags = 2;
}

function addFlags(config: Config): void {
  const list = utils.initList(Config.v8Flags, TextList, flags.length, config);
  for (const [index, flag] of flags.entries()) {
    list.set(index, flag);
  }
}

function leadToOurWorker(config: Config): void {
  const services = [...utils.getList(Config.sockets, CompositeList(Socket), config)]
    .map(socket => utils.getStruct(Socket.service, ServiceDesignator, socket))
    .filter(service => utils.getText(ServiceDesignator.serviceName, service) === miniflaresWorker);
  if (services.length === 0) {
    throw new Error(`No socket leads to ${miniflaresWorker}: this miniflare names its worker otherwise.`);
  }
  for (const service of services) {
    // Or else setText would blank out the old name, and with it eight times as much as the name takes.
    utils.erasePointer(utils.getPointer(ServiceDesignator.serviceName, service));
    utils.setText(ServiceDesignator.serviceName, ourWorker, service);
  }
}

const [, , file = ''] = process.argv;
const message = new Message(await arrayBuffer(process.stdin), false);
const config = message.getRoot(Config);
addFlags(config);
leadToOurWorker(config);
await writeFile(file, new Uint8Array(message.toArrayBuffer()));

const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));
console.log((require('workerd') as { default: string }).default);
