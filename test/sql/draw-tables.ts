/** Draws the tables of a migrated database: sql/tables.svg. */
import type { Sql } from 'postgres';

interface Column {
  table: string;
  name: string;
  /** Ends with a question mark if the column may be null. */
  type: string;
  isKey: boolean;
  /** From builder.terms, which quotes and quote_offers inherit. */
  isTerm: boolean;
  /** The table of a foreign key. */
  refersTo: string | null;
}

const [large, ...others] = ['quotes', 'quote_events', 'quote_offers', 'notifications', 'graphics'];
const line = 16;
const head = 24;
const width = 268;
const columnAt = { left: 12, right: 312 };

const style = `
  .page { fill: #ffffff; } .box { fill: #f1f5f9; stroke: #64748b; } .head { fill: #0f766e; } .title { fill: #ffffff; font-weight: 600; }
  .line { stroke: #0f766e; stroke-width: 1.5; fill: none; } .arrow { fill: #0f766e; }
  text { fill: #0f172a; } .key { font-weight: 700; } .term { font-style: italic; } .note { fill: #475569; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .box { fill: #1e293b; stroke: #94a3b8; } .line { stroke: #2dd4bf; } .arrow { fill: #2dd4bf; }
    text { fill: #e2e8f0; } .note { fill: #a8b5c7; }
  }`;

/** Returns the columns in the order of the picture: keys first, terms last. */
const readColumns = (sql: Sql): Promise<Column[]> => sql<Column[]>`
  select c.relname as "table", a.attname as name,
    replace(replace(replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'),
      'character varying', 'varchar'), 'builder.', '') || case when a.attnotnull then '' else '?' end as type,
    exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey)) as "isKey",
    a.attinhcount > 0 as "isTerm",
    (select f.relname from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey)) as "refersTo"
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'builder'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and not exists (select from pg_inherits i where i.inhparent = c.oid)
  order by c.relname, "isKey" desc, "isTerm", a.attnum`;

const text = (x: number, y: number, content: string, kind = '', more = '') =>
  `<text${kind && ` class="${kind}"`} x="${x}" y="${y}"${more}>${content}</text>`;

const columnRow = ({ name, type, isKey, isTerm }: Column) => ({
  name,
  type,
  kind: isKey ? 'key' : isTerm ? 'term' : '',
});

/** Draws a box with rows, and returns where it ends. */
function box(x: number, y: number, title: string, rows: { name: string; type: string; kind: string }[]) {
  const height = head + rows.length * line + 6;
  const lines = rows.flatMap(({ name, type, kind }, row) => {
    const baseline = y + head + 13 + row * line;
    return [
      text(x + 10, baseline, name, kind),
      text(x + width - 10, baseline, type, 'note', ' text-anchor="end"'),
    ];
  });
  const svg = [
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
    `<path class="head" d="M${x} ${y + head}v-18a6 6 0 0 1 6-6h${width - 12}a6 6 0 0 1 6 6v18z"/>`,
    text(x + 10, y + 17, title, 'title'),
    ...lines,
  ];
  return { svg, end: y + height + 12 };
}

/** Returns a row for each other table: its number of columns, and what it refers to. */
function helperRows(columns: Column[]) {
  const tables = [...new Set(columns.map(({ table }) => table))];
  return tables
    .filter(table => table !== large && !others.includes(table))
    .map(name => {
      const own = columns.filter(({ table }) => table === name);
      const references = own.flatMap(({ refersTo }) => (refersTo ? [`→ ${refersTo}`] : []));
      return {
        name,
        type: [`${own.length} columns`.replace(/^1 columns/, '1 column'), ...references].join(' '),
        kind: '',
      };
    });
}

/** Returns the picture. */
export async function drawTables(sql: Sql): Promise<string> {
  const columns = await readColumns(sql);
  const of = (name = '') => columns.filter(({ table }) => table === name);
  const quotes = box(columnAt.left, 12, large ?? '', of(large).map(columnRow));
  const helpers = box(columnAt.left, quotes.end, 'other tables', helperRows(columns));
  const parts = [...quotes.svg, ...helpers.svg];
  let y = 12;
  for (const name of others) {
    const own = of(name).filter(({ isTerm }) => !isTerm);
    const terms = of(name).length - own.length;
    const rest = terms > 0 ? [{ name: `the ${terms} terms of its quote`, type: '', kind: 'term' }] : [];
    const drawn = box(columnAt.right, y, name, [...own.map(columnRow), ...rest]);
    const from = own.findIndex(({ refersTo }) => refersTo === large);
    if (from >= 0) {
      const start = y + head + 9 + from * line;
      parts.push(`<path class="line" d="M${columnAt.right} ${start}h-16V${12 + head + 9}h-8"/>`);
    }
    parts.push(...drawn.svg);
    y = drawn.end;
  }
  const arrowAt = `${columnAt.left + width} ${12 + head + 9}`;
  parts.push(`<path class="arrow" d="M${arrowAt}l9-5v10z"/>`);
  const bottom = Math.max(helpers.end, y);
  const legend = 'Bold: the key. Italic: a term of the offer. ?: may be null. Arrow: a foreign key.';
  const total = { width: columnAt.right + width + 12, height: bottom + 22 };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total.width}" height="${total.height}" viewBox="0 0 ${total.width} ${total.height}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>The tables of the schema builder with their columns, keys and foreign keys</title>
<style>${style}
</style>
<rect class="page" width="100%" height="100%" rx="8"/>
${parts.join('\n')}
${text(columnAt.left, bottom + 8, legend, 'note')}
</svg>
`;
}
