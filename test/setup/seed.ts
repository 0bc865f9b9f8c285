/** Random cases are the same in every run, which can so be repeated. `SEED=<n>` takes others, and `npm run fuzz` always does. */
import fc from 'fast-check';

export const seed = Number(process.env['SEED'] ?? 1);

fc.configureGlobal({ seed });
