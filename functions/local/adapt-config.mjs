// @ts-check
/**
 * Changes what miniflare has no option for in the configuration that it generated for workerd. It is JavaScript, since
 * it runs whenever workerd starts: Node 20 loads no TypeScript, and loading tsx first takes three times as long.
 */
import { createRequire } from 'node:module';
import { CompositeList, Message, ObjectSize, Struct, TextList, utils } from 'capnp-es';

/**
 * By default V8 lets the heap grow before it collects garbage, though the service's objects live for milliseconds only:
 * test/README.md has the memory that this saves. More space for young objects makes collections rarer and each of them
 * longer, in proportion: 2 ms with 4 MB, 8 ms with 16.
 */
const flags = ['--max-semi-space-size=4', '--single-threaded-gc'];

/** Further flags, with blanks between them: the tests bound V8's heap. */
const { V8_FLAGS_OF_WORKERD: moreFlags = '' } = process.env;

/**
 * Miniflare's entry worker takes the requests and forwards them to ours. It would double the cost of a request, and it
 * trusts headers (`MF-…`) that any client can send.
 */
const miniflaresWorker = 'core:entry';
const ourWorker = 'core:user:all';

// The parts of workerd.capnp (in the package workerd) that are needed here; the numbers are indexes of pointers.

class ServiceDesignator extends Struct {
  /** @override */
  static _capnp = {
    displayName: 'ServiceDesignator',
    id: 'ae8ec91cee724450',
    size: new ObjectSize(8, 3),
  };
  static serviceName = 0;
}

class Socket extends Struct {
  /** @override */
  static _capnp = {
    displayName: 'Socket',
    id: '9a0eba45530ee79f',
    size: new ObjectSize(8, 5),
  };
  static service = 4;
}

class Config extends Struct {
  /** @override */
  static _capnp = {
    displayName: 'Config',
    id: '8794486c76aaa7d6',
    size: new ObjectSize(8, 6),
  };
  static sockets = 1;
  static v8Flags = 2;
}

/** @param {Config} config */
function addFlags(config) {
  const all = [...flags, ...moreFlags.split(' ').filter(flag => flag !== '')];
  const list = utils.initList(Config.v8Flags, TextList, all.length, config);
  for (const [index, flag] of all.entries()) {
    list.set(index, flag);
  }
}

/** @param {Config} config */
function routeToOurWorker(config) {
  const services = [...utils.getList(Config.sockets, CompositeList(Socket), config)]
    .map(socket => utils.getStruct(Socket.service, ServiceDesignator, socket))
    .filter(service => utils.getText(ServiceDesignator.serviceName, service) === miniflaresWorker);
  if (services.length === 0) {
    throw new Error(
      `No socket leads to ${miniflaresWorker}: this version of miniflare names its worker differently.`,
    );
  }
  for (const service of services) {
    // Otherwise setText would overwrite the old name with blanks, eight times as many as it has bytes.
    utils.erasePointer(utils.getPointer(ServiceDesignator.serviceName, service));
    utils.setText(ServiceDesignator.serviceName, ourWorker, service);
  }
}

/**
 * Adds V8 flags to a configuration of miniflare, and bypasses miniflare's own worker.
 * @param {ArrayBuffer} generated
 */
export function adaptConfig(generated) {
  const message = new Message(generated, false);
  const config = message.getRoot(Config);
  addFlags(config);
  routeToOurWorker(config);
  return new Uint8Array(message.toArrayBuffer());
}

/**
 * The path of the workerd that miniflare would start.
 * @returns {string}
 */
export function findWorkerd() {
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return require('workerd').default;
}
