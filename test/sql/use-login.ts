import postgres, { type Sql } from 'postgres';
import { use } from '../setup/use.ts';

/** The connections of a test file as a login role: the methods of `Sql`, and no tagged template. */
export const useLogin = (url: () => string, max = 1): Pick<Sql, 'unsafe' | 'begin' | 'end'> =>
  use(async (): Promise<Sql> => postgres(url(), { max, onnotice: () => {} }), 'end');
