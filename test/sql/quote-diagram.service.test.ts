/** The diagram in the README shows the moves that the database allows. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { useDatabase } from '../setup/database.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aQuote } from '../setup/rows.ts';
import { insert } from './roles.ts';

const [diagram] = blocksOf('mermaid', 'README.md');
const moves = [...(diagram?.text ?? '').matchAll(/^ +(\S+) --> (\w+): (\w+)$/gm)].map(
  ([, from = '', to = '', by = '']) => ({ from, to, by }),
);
const movesOf = (mover: string): string[] =>
  moves
    .filter(({ by }) => by === mover)
    .map(({ from, to }) => `${from} → ${to}`)
    .sort();
const statuses = quotes.columns.status.type.values ?? [];

const database = useDatabase();

describe('the diagram of the life of a quote', () => {
  it('has every line understood, and every status', () => {
    expect(diagram?.text.trim().split('\n')).toHaveLength(moves.length + 1);
    const shown = new Set(moves.flatMap(({ from, to }) => [from, to]));
    expect([...shown].sort()).toEqual(['[*]', ...statuses].sort());
  });

  it('gives customers the moves that they may make', async () => {
    const allowed = await database.sql<{ move: string }[]>`
      select from_status || ' → ' || to_status as move from builder.quote_transitions`;
    expect(movesOf('customer')).toEqual(['[*] → draft', ...allowed.map(({ move }) => move)].sort());
  });

  it('gives the sweep the moves that it makes', async () => {
    const { sql } = database;
    const account = randomUUID();
    const prices = { unit_price: 1, total_price: 1 };
    const ids = new Map<string, string>();
    for (const status of statuses) {
      ids.set(status, await insert(sql, 'quotes', aQuote(account, { status, ...prices })));
    }
    await sql`update builder.quotes set expires_at = now()`;
    await sql`select builder.expire_quotes(100)`;
    const expired = await sql<{ id: string }[]>`select id from builder.quotes where status = 'expired'`;
    const swept = statuses.filter(
      status => status !== 'expired' && expired.some(({ id }) => id === ids.get(status)),
    );
    expect(movesOf('sweep')).toEqual(swept.map(status => `${status} → expired`).sort());
  });

  it('gives staff the moves that are left: pricing and ordering', () => {
    expect(movesOf('staff')).toEqual(['approved → ordered', 'submitted → quoted']);
    expect(new Set(moves.map(({ by }) => by))).toEqual(new Set(['customer', 'staff', 'sweep']));
  });
});
