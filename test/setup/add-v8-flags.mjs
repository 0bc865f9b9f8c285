/**
 * Bounds V8's heap as Cloudflare bounds it. Miniflare has no option for V8's flags. So this program reads the configuration
 * that miniflare writes for workerd, and writes it with a flag added: a message in Cap'n Proto's encoding
 * (https://capnproto.org/encoding.html), whose root is a `Config` of workerd.capnp.
 */
import { buffer } from 'node:stream/consumers';

const flags = ['--max-heap-size=128'];

const word = 8;
/** Where `v8Flags` is among the pointers of a `Config`. */
const indexOfFlags = 2;
/** The sizes of a list's elements, as a pointer to the list tells them. */
const [byte, pointer] = [2, 6];

/** Puts the flags at the end of the first segment, which begins with the pointer to the root. */
function addFlags(config) {
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
function listOf(texts) {
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
function writePointer(into, at, target, elementSize, length) {
  into.writeInt32LE((((target - at) / word - 1) << 2) | 1, at);
  into.writeUInt32LE((length << 3) | elementSize, at + 4);
}

process.stdout.write(addFlags(await buffer(process.stdin)));
