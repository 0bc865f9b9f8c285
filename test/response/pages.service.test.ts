/** Pages: their size, the link to the next one, and that no row is missed or repeated. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, useCallers } from '../setup/wire.ts';

const many = 57;
const service = useService({ bindings: { MAX_ROWS: '25' } });
const { staff } = useCallers(service);
beforeAll(async () => {
  const rows = Array.from({ length: many }, (_, index) =>
    aGraphic({
      code: `G-${index}`,
      name: `Say "it\\" ${index % 7}`,
      sort_order: index % 5,
      width: index % 3 || null,
    }),
  );
  const { status } = await staff.send(
    'POST',
    '/graphics?columns=name,code,file_url,file_format,sort_order,width',
    rows,
  );
  expect(status).toBe(201);
});

const nextOf = ({ headers }: Reply): string | undefined =>
  /^<\/rest\/v1([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

async function follow(path: string): Promise<{ codes: string[]; paths: string[] }> {
  const codes: string[] = [];
  const paths: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    paths.push(next);
    expect(paths.length).toBeLessThan(100);
    const reply = await staff.get(next);
    expect(reply.status, reply.text).toBe(200);
    codes.push(...reply.body.map(({ code }: { code: string }) => code));
    next = nextOf(reply);
  }
  return { codes, paths };
}

describe('following rel="next"', () => {
  it.each([
    ['by the key alone', 'order=id&limit=10', /id=gt\./],
    ['by the key, backwards', 'order=id.desc&limit=10', /id=lt\./],
    ['by columns that are not null and the key', 'order=sort_order.desc,name,id&limit=9', /and=/],
    ['with a filter', 'order=sort_order,id&limit=4&name=like.*5', /and=/],
    [
      'with conditions of its own',
      'order=sort_order,id&limit=4&and=(sort_order.gt.0,id.not.is.null)',
      /and=.*and=/,
    ],
    ['through an order with ties', 'order=sort_order&limit=10', /and=/],
    ['by a time that is never null', 'order=updated_at.desc&limit=10', /and=/],
    ['by two times and the key, backwards', 'order=created_at.desc,updated_at,id.desc&limit=10', /and=/],
    ['through an order with nulls', 'order=width,id&limit=10', /offset=/],
    ['without an order', 'limit=10', /offset=/],
    ['after the cap of rows', 'order=id', /id=gt\./],
  ])('%s sees every row once', async (_, query, how) => {
    const all = await staff.get(`/graphics?select=code&${query.replace(/&?limit=\d+/, '')}`, {
      prefer: 'count=exact',
    });
    const total = Number(all.headers.get('content-range')?.split('/')[1]);
    const { codes, paths } = await follow(`/graphics?select=code&${query}`);
    expect(codes.length).toBe(total);
    expect(new Set(codes).size).toBe(total);
    expect(paths[1]).toMatch(how);
    expect(
      Math.max(...paths.slice(1).map(path => path.length)) -
        Math.min(...paths.slice(1).map(path => path.length)),
    ).toBeLessThan(100);
  });

  it('applies the first page’s offset once, even when semicolons separate the parameters', async () => {
    for (const query of ['order=id&limit=10&offset=3', 'order=id;limit=10;offset=3']) {
      const { codes } = await follow(`/graphics?select=code&${query}`);
      expect(new Set(codes).size).toBe(many - 3);
    }
  });

  it('by keyset is not shifted by rows inserted before', async () => {
    const first = await staff.get('/graphics?select=code&order=code,id&limit=10');
    await staff.send('POST', '/graphics', aGraphic({ code: 'A-FIRST' }));
    const second = await staff.get(nextOf(first) ?? '');
    await staff.send('DELETE', '/graphics?code=eq.A-FIRST');
    const codes = [...first.body, ...second.body].map(({ code }: { code: string }) => code);
    expect(codes).not.toContain('A-FIRST');
    expect(new Set(codes).size).toBe(20);
  });

  it('by the time of the last change misses no row that is touched between two pages', async () => {
    const [{ sort_order, code }] = (await staff.get('/graphics?order=updated_at,id&limit=1')).body;
    const first = await staff.get('/graphics?select=code&order=updated_at&limit=10');
    await staff.send('PATCH', `/graphics?code=eq.${code}`, { sort_order });
    const second = await staff.get(nextOf(first) ?? '');
    const expected = await staff.get('/graphics?select=code&order=updated_at&limit=10&offset=9');
    expect(second.body).toEqual(expected.body);
  });

  it('goes on at an offset where the keyset is too long for a URL', async () => {
    const named = (code: string) => aGraphic({ code, name: '"'.repeat(500) });
    await staff.send('POST', '/graphics', [named('LONG-1'), named('LONG-2'), named('LONG-3')]);
    const { codes, paths } = await follow('/graphics?select=code&code=like.LONG*&order=name,id&limit=2');
    await staff.send('DELETE', '/graphics?code=like.LONG*');
    expect(new Set(codes).size).toBe(3);
    expect(paths[1]).toMatch(/offset=2/);
  });

  it('ends with the last row, even if the last page is full', async () => {
    const cut = await staff.get('/graphics?select=code&sort_order=eq.1&limit=11');
    expect(cut.body.length).toBe(11);
    expect(nextOf(cut)).toBeDefined();
    const whole = await staff.get('/graphics?select=code&sort_order=eq.1&limit=12');
    expect(whole.body.length).toBe(12);
    expect(whole.headers.has('link')).toBe(false);
  });
});

describe('a page', () => {
  it('has at most MAX_ROWS rows, whatever limit says', async () => {
    for (const query of ['', '&limit=1000']) {
      const { body, headers } = await staff.get(`/graphics?select=id${query}`, { prefer: 'count=exact' });
      expect(body.length).toBe(25);
      expect(headers.get('content-range')).toBe(`0-24/${many}`);
    }
  });

  it('with an estimated count counts exactly up to its size', async () => {
    const few = await staff.get('/graphics?sort_order=eq.1', { prefer: 'count=estimated' });
    expect(few.headers.get('content-range')).toBe('0-11/12');
  });

  it('with an estimated count has Postgres’s estimate of more rows than that', async () => {
    await service.sql`analyze builder.graphics`;
    const { headers } = await staff.get('/graphics?select=id', { prefer: 'count=estimated' });
    expect(headers.get('content-range')).toBe(`0-24/${many}`);
  });

  it('with a planned count has Postgres’s estimate', async () => {
    await service.sql`analyze builder.graphics`;
    const { headers, status } = await staff.get('/graphics?select=id', { prefer: 'count=planned' });
    expect(status).toBe(206);
    expect(headers.get('content-range')).toBe(`0-24/${many}`);
  });
});
