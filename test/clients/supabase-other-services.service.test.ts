/** What supabase-js is told of the services that are not part of this one, by each of its clients. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';
import { type Client, clientOf } from './supabase.ts';

const service = useService();
let supabase: Client;
beforeAll(async () => {
  supabase = clientOf(service, service.publishableKey);
});

const noAuth =
  'supabase.auth is not part of this service: sign in elsewhere, and give createClient the accessToken';
const noStorage =
  'supabase.storage is not part of this service: keep files elsewhere, and their URLs in columns';
const noFunctions =
  'supabase.functions is not part of this service: its functions are called by supabase.rpc()';

describe('supabase.auth', () => {
  const user = { email: 'a@b.example', password: 'secret words' };

  it.each<[string, (client: Client) => Promise<{ error: unknown }>]>([
    ['signInWithPassword', ({ auth }) => auth.signInWithPassword(user)],
    ['signUp', ({ auth }) => auth.signUp(user)],
    ['signInWithOtp', ({ auth }) => auth.signInWithOtp({ email: user.email })],
    ['signInAnonymously', ({ auth }) => auth.signInAnonymously()],
    ['resetPasswordForEmail', ({ auth }) => auth.resetPasswordForEmail(user.email)],
    ['getUser', ({ auth }) => auth.getUser('a.b.c')],
    ['admin.listUsers', ({ auth }) => auth.admin.listUsers()],
  ])('says in the error of %s that it is not here, and what to do', async (_, call) => {
    expect((await call(supabase)).error).toMatchObject({
      name: 'AuthApiError',
      status: 404,
      message: noAuth,
    });
  });
});

describe('supabase.storage', () => {
  it.each<[string, (client: Client) => Promise<{ error: unknown }>]>([
    ['list', ({ storage }) => storage.from('logos').list()],
    [
      'upload',
      ({ storage }) => storage.from('logos').upload('a.svg', new Blob(['<svg/>']), { upsert: true }),
    ],
    ['download', ({ storage }) => storage.from('logos').download('a.svg')],
    ['remove', ({ storage }) => storage.from('logos').remove(['a.svg'])],
    ['createSignedUrl', ({ storage }) => storage.from('logos').createSignedUrl('a.svg', 60)],
    ['listBuckets', ({ storage }) => storage.listBuckets()],
  ])('says in the error of %s that it is not here, and what to do', async (_, call) => {
    const error = { name: 'StorageApiError', status: 404, statusCode: 'PGRST125', message: noStorage };
    expect((await call(supabase)).error).toMatchObject(error);
  });
});

describe('supabase.functions', () => {
  it('has the message in the response that its error brings', async () => {
    const { error } = await supabase.functions.invoke('price-quote', { body: { quote: 1 } });
    expect(error).toMatchObject({ name: 'FunctionsHttpError', context: { status: 404 } });
    expect(await error.context.json()).toEqual({
      code: 'PGRST125',
      message: noFunctions,
      details: null,
      hint: "supabase.rpc('next_quote_number') and supabase.rpc('duplicate_quote', { id })",
    });
  });
});

describe('the paths of another service', () => {
  const paths = ['/auth/v1', '/auth/v1/token', '/storage/v1/object/a/b.svg', '/functions/v1/f'];

  it.each(paths)('are answered alike without a key: %s', async path => {
    const response = await service.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'PGRST125', hint: expect.any(String) });
  });

  it('have an error without a body for HEAD', async () => {
    const response = await service.fetch('/storage/v1/object/a/b.svg', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it.each([
    '/authv1/token',
    '/auth/v2/token',
    '/auth/v1x',
    '/x/auth/v1/',
    '/constructor/v1/',
  ])('are no others: %s', async path => {
    const { message } = (await (await service.fetch(path)).json()) as { message: string };
    expect(message).toBe('Invalid path specified in request URL');
  });
});
