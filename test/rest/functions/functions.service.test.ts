/** What all functions at `POST /rest/v1/rpc/<name>` make of headers and parameters that are for rows. */
import { describe, expect, it } from 'vitest';
import { useService } from '../../setup/service.ts';
import { useCallers } from '../../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);

describe('a function', () => {
  const call = (headers: Record<string, string>, query = '') =>
    staff.send('POST', `/rpc/next_quote_number${query}`, undefined, headers);

  it.each([
    ['If-Match', { 'if-match': '*' }, 'PT400'],
    ['If-None-Match', { 'if-none-match': '"1-a"' }, 'PT400'],
    ['a time zone that does not exist', { prefer: 'timezone=Nowhere/X' }, '22023'],
    ['an unknown preference with handling=strict', { prefer: 'handling=strict,speed=high' }, 'PGRST122'],
    ['another schema', { 'content-profile': 'other' }, 'PGRST106'],
    ['Accept of a plan', { accept: 'application/vnd.pgrst.plan+json' }, 'PGRST107'],
  ])('refuses %s', async (_, headers, code) => {
    expect(await call(headers)).toMatchObject({ body: { code } });
  });

  it('refuses a filter, since its arguments are in the body', async () => {
    const { status, body } = await call({}, '?id=eq.0');
    expect([status, body.code]).toEqual([404, 'PGRST202']);
    expect(body.hint).toContain('next_quote_number takes ');
  });
});
