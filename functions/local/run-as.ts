/**
 * The user that Postgres's programs run as. They refuse to run as root, which is who one is in most containers. So root runs
 * them as the user `postgres`, which is created when missing; any other user runs them as itself.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Problem } from './program.ts';

const execute = promisify(execFile);

export interface RunAs {
  /** The owner of the data directory; empty unless this process is root. */
  ids: { uid?: number; gid?: number };
  /** The arguments before a program's name, such as setpriv's. `options` are the child process's. */
  prefix: string[];
  options: { cwd: string; uid?: number; gid?: number; env: NodeJS.ProcessEnv };
}

/** The environment for the system's programs. PATH may lack their directories, such as /usr/sbin after `su`. */
export const systemEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env['PATH'] ?? '/usr/bin'}:/usr/sbin:/usr/bin:/sbin:/bin`,
  LC_ALL: 'C',
});

/** Returns how to run `program` on data in `directory`, which must exist. */
export async function chooseRunAs(program: string, directory: string): Promise<RunAs> {
  const options = { cwd: '/', env: systemEnv() };
  if (process.getuid?.() !== 0) {
    return { ids: {}, prefix: [], options };
  }
  const ids = await postgresUser();
  const plain: RunAs = { ids, prefix: [], options: { ...options, ...ids } };
  // Other users can't enter a checkout under /root, for example; this capability lets the program through.
  const throughClosed: RunAs = { ids, prefix: ['setpriv', ...throughDirectories(ids), '--'], options };
  for (const candidate of [plain, throughClosed]) {
    if (await canReach(candidate, program, directory)) {
      return candidate;
    }
  }
  throw new Problem(
    `Root runs Postgres as the user postgres, who cannot reach ${directory} or ${program}: open their parent ` +
      'directories to it (chmod o+x), run this as an ordinary user, or set DATABASE_URL.',
  );
}

const throughDirectories = ({ uid, gid }: { uid: number; gid: number }): string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--securebits=+no_setuid_fixup',
];

async function canReach(as: RunAs, program: string, directory: string): Promise<boolean> {
  const [file = '', ...args] = [...as.prefix, 'sh', '-c', 'test -x "$0" && cd "$1"', program, directory];
  return execute(file, args, as.options).then(
    () => true,
    () => false,
  );
}

/** Returns the ids of the user `postgres`, and creates it when missing. */
export async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const env = systemEnv();
  const id = async (option: string) => Number((await execute('id', [option, 'postgres'], { env })).stdout);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      return { uid: await id('-u'), gid: await id('-g') };
    } catch {
      const options = ['--system', '--user-group', '--no-create-home', 'postgres'];
      // Fails while another program creates the user, which then exists a moment later.
      await execute('useradd', options, { env }).catch(() => sleep(100));
    }
  }
  throw new Problem(
    'Postgres does not run as root, and a user postgres could not be created: run this as an ordinary user, or set ' +
      'DATABASE_URL.',
  );
}
