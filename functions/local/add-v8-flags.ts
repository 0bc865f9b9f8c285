/**
 * For lean-workerd.sh: reads the configuration that miniflare made for workerd from stdin, writes it with flags for V8
 * into the file it is told, and prints where workerd is.
 */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arrayBuffer } from 'node:stream/consumers';
import { Message, ObjectSize, Struct, TextList, utils } from 'capnp-es';

/**
 * A service whose rows live for milliseconds needs little memory, but V8 collects nothing before there is much: 230 MB
 * resident under load became 140, and the slowest hundredth of reads took 14 ms instead of 22 (`npm run bench`).
 */
const flags = ['--max-semi-space-size=4', '--single-threaded-gc'];

/** `Config` of workerd.capnp, as far as it matters here. */
class Config extends Struct {
  static override readonly _capnp = {
    displayName: 'Config',
    id: '8794486c76aaa7d6',
    size: new ObjectSize(8, 6),
  };
  /** The place of v8Flags among its pointers. */
  static readonly v8Flags = 2;
}

const [, , file = ''] = process.argv;
const message = new Message(await arrayBuffer(process.stdin), false);
const list = utils.initList(Config.v8Flags, TextList, flags.length, message.getRoot(Config));
for (const [index, flag] of flags.entries()) {
  list.set(index, flag);
}
await writeFile(file, new Uint8Array(message.toArrayBuffer()));

const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));
console.log((require('workerd') as { default: string }).default);
