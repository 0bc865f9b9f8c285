import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Message, ObjectSize, Struct, TextList, utils } from 'capnp-es';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';

const folder = fileURLToPath(new URL('../../functions/local/', import.meta.url));
/** Of workerd's Config: its text lists `v8Flags` and `autogates`. */
const [v8Flags, autogates] = [2, 4];

class Config extends Struct {
  static override readonly _capnp = {
    displayName: 'Config',
    id: '8794486c76aaa7d6',
    size: new ObjectSize(8, 6),
  };
  texts = (pointer: number): string[] => [...utils.getList(pointer, TextList, this)];
}

function configuration(): Buffer {
  const message = new Message();
  utils.initList(autogates, TextList, 1, message.initRoot(Config)).set(0, 'some-gate');
  return Buffer.from(message.toArrayBuffer());
}

let temporary: TemporaryDirectory;
beforeAll(async () => {
  temporary = await makeTemporaryDirectory();
});
afterAll(() => temporary.remove());

it('adds flags for V8 to the configuration of workerd, and changes nothing else', () => {
  const file = join(temporary.path, 'config');
  const args = ['--import', 'tsx', 'add-v8-flags.ts', file];
  execFileSync(process.execPath, args, { cwd: folder, input: configuration() });
  const config = new Message(new Uint8Array(readFileSync(file)).buffer, false).getRoot(Config);
  expect(config.texts(v8Flags)).toContain('--max-semi-space-size=4');
  expect(config.texts(autogates)).toEqual(['some-gate']);
});

it('becomes workerd, and leaves no configuration on the disk', async () => {
  const version = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      join(folder, 'lean-workerd.sh'),
      ['--version'],
      { env: { ...process.env, TMPDIR: temporary.path } },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(configuration());
  });
  expect(version).toMatch(/^workerd \d{4}-\d\d-\d\d/);
  expect(readdirSync(temporary.path)).not.toContainEqual(expect.stringMatching(/^tmp/));
});
