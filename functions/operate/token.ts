/** `npm run token`: prints an access token for the local service, which need not be running or have run before. */
import { parseArgs } from 'node:util';
import { endWithReader } from '../../sql/output.ts';
import { createAccessToken, type TokenHolder } from '../local/access-token.ts';
import { exitWith, Problem } from '../local/problem.ts';
import { loadSecrets } from '../local/secrets.ts';
import { dataDirectory } from '../local/settings.ts';

const usage = 'Usage: npm run token -- --account <uuid> [--also <uuid>]… [--staff] [--data <directory>]';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readHolder(args: string[]): { holder: TokenHolder; data: string | undefined } {
  const { account, also, staff, data } = parseArguments(args);
  if (account === undefined) {
    throw new Problem(`--account is missing. ${usage}`);
  }
  for (const id of [account, ...also]) {
    if (!uuid.test(id)) {
      throw new Problem(`"${id}" is not a uuid. ${usage}`);
    }
  }
  return { holder: { account, also, staff }, data };
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        account: { type: 'string' },
        also: { type: 'string', multiple: true, default: [] },
        staff: { type: 'boolean', default: false },
        data: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new Problem(`${(error as Error).message} ${usage}`);
  }
}

endWithReader();
try {
  const { holder, data } = readHolder(process.argv.slice(2));
  const { jwtSecret } = await loadSecrets(dataDirectory(data));
  console.log(await createAccessToken(jwtSecret, holder));
} catch (error) {
  exitWith(error);
}
