/**
 * Changes what miniflare has no option for in the configuration that it makes for workerd: a message in Cap'n Proto's encoding
 * (https://capnproto.org/encoding.html), whose root is a `Config` of workerd.capnp. Where another version of them does not
 * take the flags, test/setup/heap.service.test.ts fails.
 */
import { randomBytes } from 'node:crypto';

/**
 * By default V8 lets the heap grow before it collects garbage, though the service's objects live for milliseconds only:
 * test/README.md has the memory that this saves. More space for young objects makes collections rarer and each of them
 * longer, in proportion: 2 ms with 4 MB, 8 ms with 16.
 */
const flags = ['--max-semi-space-size=4', '--single-threaded-gc'];

/**
 * Adds V8 flags, and those of V8_FLAGS_OF_WORKERD, with blanks between them: the tests bound V8's heap. `connectHost` is the
 * name to which a client can send CONNECT to call the worker's handlers past HTTP: it becomes one that nobody knows.
 */
export function adaptConfig(config: Buffer, connectHost: string): Buffer {
  const { V8_FLAGS_OF_WORKERD: more = '' } = process.env;
  rename(config, connectHost);
  return addFlags(config, [...flags, ...more.split(' ').filter(flag => flag !== '')]);
}

/** Replaces a name by another one of its length. */
function rename(config: Buffer, name: string): void {
  for (let at = config.indexOf(name); at !== -1; at = config.indexOf(name, at)) {
    config.write(randomBytes(name.length).toString('hex'), at, name.length);
  }
}

const word = 8;
/** Where `v8Flags` is among the pointers of a `Config`. */
const indexOfFlags = 2;
/** The sizes of a list's elements, as a pointer to the list tells them. */
const [byte, pointer] = [2, 6];

/** Puts the flags at the end of the first segment, which begins with the pointer to the root. */
function addFlags(config: Buffer, flags: string[]): Buffer {
  const segments = config.readUInt32LE(0) + 1;
  const words = config.readUInt32LE(4);
  const start = Math.ceil((segments + 1) / 2) * word;
  const end = start + words * word;
  const root = start + word + (config.readInt32LE(start) >> 2) * word;
  const list = listOf(flags);
  const changed = Buffer.concat([config.subarray(0, end), list, config.subarray(end)]);
  changed.writeUInt32LE(words + list.length / word, 4);
  // The root has its data first, and then its pointers.
  const dataWords = config.readUInt16LE(start + 4);
  writePointer(changed, root + (dataWords + indexOfFlags) * word, end, pointer, flags.length);
  return changed;
}

/** Returns a list of texts: their pointers, and then the texts, each with the NUL at its end and in whole words. */
function listOf(texts: string[]): Buffer {
  const room = (Math.floor(Math.max(...texts.map(text => text.length)) / word) + 1) * word;
  const list = Buffer.alloc(texts.length * (word + room));
  for (const [index, text] of texts.entries()) {
    const at = texts.length * word + index * room;
    list.write(text, at);
    writePointer(list, index * word, at, byte, text.length + 1);
  }
  return list;
}

/** Writes a pointer to a list. Distances are counted from a pointer's end. */
function writePointer(into: Buffer, at: number, target: number, elementSize: number, length: number): void {
  into.writeInt32LE((((target - at) / word - 1) << 2) | 1, at);
  into.writeUInt32LE((length << 3) | elementSize, at + 4);
}
