import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompositeList, Message, ObjectSize, Struct, TextList, utils } from 'capnp-es';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

const folder = fileURLToPath(new URL('../../functions/local/', import.meta.url));
/** The fields of workerd's Config: `sockets`, and its text lists `v8Flags` and `autogates`. */
const [sockets, v8Flags, autogates] = [1, 2, 4];
/** The fields of a Socket: `name` and `service`. */
const [socketName, socketService] = [0, 4];
/** The field of a ServiceDesignator: `name`. */
const serviceName = 0;

class ServiceDesignator extends Struct {
  static override readonly _capnp = {
    displayName: 'ServiceDesignator',
    id: 'ae8ec91cee724450',
    size: new ObjectSize(8, 3),
  };
}

class Socket extends Struct {
  static override readonly _capnp = {
    displayName: 'Socket',
    id: '9a0eba45530ee79f',
    size: new ObjectSize(8, 5),
  };
}

class Config extends Struct {
  static override readonly _capnp = {
    displayName: 'Config',
    id: '8794486c76aaa7d6',
    size: new ObjectSize(8, 6),
  };
  texts = (pointer: number): string[] => [...utils.getList(pointer, TextList, this)];
  /** The services that the sockets lead to, by the sockets' names. */
  led = (): Record<string, string> =>
    Object.fromEntries(
      [...utils.getList(sockets, CompositeList(Socket), this)].map(socket => [
        utils.getText(socketName, socket),
        utils.getText(serviceName, utils.getStruct(socketService, ServiceDesignator, socket)),
      ]),
    );
}

/** A configuration with these sockets, by name, and the services they lead to. */
function configuration(led: Record<string, string>): Buffer {
  const message = new Message();
  const config = message.initRoot(Config);
  utils.initList(autogates, TextList, 1, config).set(0, 'some-gate');
  const entries = Object.entries(led);
  const list = utils.initList(sockets, CompositeList(Socket), entries.length, config);
  for (const [index, [name, service]] of entries.entries()) {
    const socket = list.get(index);
    utils.setText(socketName, name, socket);
    utils.setText(serviceName, service, utils.initStructAt(socketService, ServiceDesignator, socket));
  }
  return Buffer.from(message.toArrayBuffer());
}

const asMiniflareMakesIt = configuration({ entry: 'core:entry', other: 'core:user:other' });

const temporary = use(makeTemporaryDirectory, 'remove');

const adapt = (input: Buffer, file: string): string =>
  execFileSync(process.execPath, ['write-config.mjs', file], {
    cwd: folder,
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, V8_FLAGS_OF_WORKERD: '--max-heap-size=64 --jitless' },
  }).toString();

it('adds V8 flags to the configuration of workerd, routes requests to our worker, and changes nothing else', () => {
  const file = join(temporary.path, 'config');
  adapt(asMiniflareMakesIt, file);
  const config = new Message(new Uint8Array(readFileSync(file)).buffer, false).getRoot(Config);
  expect(config.texts(v8Flags)).toContain('--max-semi-space-size=4');
  expect(config.texts(v8Flags).slice(-2)).toEqual(['--max-heap-size=64', '--jitless']);
  expect(config.texts(autogates)).toEqual(['some-gate']);
  expect(config.led()).toEqual({ entry: 'core:user:all', other: 'core:user:other' });
});

it('does not start when it cannot bypass miniflare’s own worker', () => {
  expect(() => adapt(configuration({ entry: 'core:renamed' }), join(temporary.path, 'config'))).toThrow();
});

it('becomes workerd, and leaves no configuration on the disk', async () => {
  const version = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      join(folder, 'lean-workerd.sh'),
      ['--version'],
      { env: { ...process.env, TMPDIR: temporary.path } },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(asMiniflareMakesIt);
  });
  expect(version).toMatch(/^workerd \d{4}-\d\d-\d\d/);
  expect(readdirSync(temporary.path)).not.toContainEqual(expect.stringMatching(/^tmp/));
});
