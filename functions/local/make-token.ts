/** `npm run token`: prints an access token for the local service, which need not be running or have run before. */
import { canonicalUuid } from '../../schema/uuid.ts';
import { endWithReader } from '../../sql/output.ts';
import { createAccessToken, type TokenHolder } from './access-token.ts';
import { exitWith, Problem, parseArguments } from './program.ts';
import { loadSecrets } from './secrets.ts';
import { dataDirectory } from './settings.ts';

const usage = 'Usage: npm run token -- --account <uuid> [--also <uuid>]… [--staff] [--data <directory>]';

function readHolder(args: string[]): { holder: TokenHolder; data: string | undefined } {
  const options = {
    account: { type: 'string' },
    also: { type: 'string', multiple: true },
    staff: { type: 'boolean', default: false },
    data: { type: 'string' },
  } as const;
  const { account, also = [], staff, data } = parseArguments({ args, options }, usage).values;
  if (account === undefined) {
    throw new Problem(`--account is missing. ${usage}`);
  }
  const [own = '', ...others] = [account, ...also].map(id => {
    const uuid = canonicalUuid(id);
    if (uuid === undefined) {
      throw new Problem(`"${id}" is not a uuid. ${usage}`);
    }
    return uuid;
  });
  return { holder: { account: own, also: others, staff }, data };
}

endWithReader();
try {
  const { holder, data } = readHolder(process.argv.slice(2));
  const { jwtSecret } = await loadSecrets(dataDirectory(data));
  console.log(await createAccessToken(jwtSecret, holder));
} catch (error) {
  exitWith(error);
}
