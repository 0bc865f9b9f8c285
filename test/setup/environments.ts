/** Settings of an environment, which differ from those of another number. */
export const anEnvironment = (n: 1 | 2) => ({
  host: `${['one', 'two'][n - 1]}.example.com`,
  location: 'weur',
  hyperdrive: `${n}a`.repeat(16),
  hyperdrive_jobs: `${n}b`.repeat(16),
  account_limit: `${n}1`,
  address_limit: `${n}2`,
});
