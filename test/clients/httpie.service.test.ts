/**
 * HTTPie, as somebody types it: https://httpie.io/docs/cli
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCommand } from '../local/program.ts';
import { pathOf } from '../setup/programs.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';

describe('HTTPie', { tags: ['httpie'] }, () => {
  let service: Service;
  let directory: TemporaryDirectory;
  let staff: string[];
  beforeAll(async () => {
    [service, directory] = await Promise.all([startService(), makeTemporaryDirectory()]);
    staff = [`apikey:${service.secretKey}`];
  });
  afterAll(() => Promise.all([service.stop(), directory.remove()]));

  /** The exit code says the kind of status: 0 for 2xx, 4 for 4xx. */
  async function http(method: string, path: string, ...items: string[]) {
    const isOption = (item: string) => item.startsWith('--');
    const options = [
      '--ignore-stdin',
      '--check-status',
      '--pretty=none',
      '--print=hb',
      ...items.filter(isOption),
    ];
    const rest = items.filter(item => !isOption(item));
    const args = [...options, method, `${service.url}/rest/v1${path}`, ...rest];
    const env = { HTTPIE_CONFIG_DIR: directory.path };
    const { code, stdout } = await startCommand(pathOf('httpie'), args, { env }).ended;
    const [headers = '', body = ''] = stdout.split(/\r?\n\r?\n/);
    const isJson = /^content-type: [^;\r\n]*json/im.test(headers);
    return { code, status: Number(headers.split(' ')[1]), body: isJson ? JSON.parse(body) : body.trim() };
  }

  it('reads, creates, changes and deletes rows', async () => {
    const { name, code, ...others } = aGraphic({ name: 'Löwe' });
    const fields = Object.entries({ name, code, ...others }).map(([field, value]) => `${field}=${value}`);
    const returning = [...staff, 'Prefer:return=representation'];
    const created = await http('POST', '/graphics', ...returning, ...fields, 'width:=3', 'tags:=["animal"]');
    expect(created).toMatchObject({ code: 0, status: 201, body: [{ name, width: 3, tags: ['animal'] }] });
    const row = `code==eq.${code}`;
    const read = await http('GET', '/graphics', `apikey:${service.publishableKey}`, row, 'select==name');
    expect(read).toMatchObject({ code: 0, body: [{ name }] });
    const changed = await http('PATCH', '/graphics', ...returning, row, 'name=Wolf');
    expect(changed.body).toMatchObject([{ name: 'Wolf' }]);
    expect(await http('DELETE', '/graphics', ...staff, row)).toEqual({ code: 0, status: 204, body: '' });
  });

  it('sends a form and a file of CSV, and gets CSV', async () => {
    const [first, second] = [aGraphic({ name: 'A' }), aGraphic({ name: 'B' })];
    const fields = Object.entries(first).map(([field, value]) => `${field}=${value}`);
    expect(await http('POST', '/graphics', '--form', ...staff, ...fields)).toMatchObject({ status: 201 });
    const file = join(directory.path, 'graphics.csv');
    await writeFile(file, `${Object.keys(second)}\n${Object.values(second)}\n`);
    expect(await http('POST', '/graphics', ...staff, `@${file}`)).toMatchObject({ status: 201 });
    const query = [`code==in.(${first.code},${second.code})`, 'select==name', 'order==name'];
    expect((await http('GET', '/graphics', ...staff, 'Accept:text/csv', ...query)).body).toBe('name\nA\nB');
  });

  it('signs in with a token, and shows the error of what is refused', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const customer = ['--auth-type=bearer', `--auth=${token}`, `apikey:${service.publishableKey}`];
    const fields = Object.entries(aQuote(account)).map(
      ([field, value]) => `${field}:=${JSON.stringify(value)}`,
    );
    const created = await http('POST', '/quotes', ...customer, 'Prefer:return=representation', ...fields);
    expect(created).toMatchObject({ code: 0, body: [{ status: 'draft' }] });
    const row = `id==eq.${created.body[0].id}`;
    expect(await http('PATCH', '/quotes', ...customer, row, 'status=ordered')).toMatchObject({
      code: 4,
      status: 409,
      body: { code: 'PT409', message: 'A quote cannot move from draft to ordered' },
    });
  });
});
