/** Calls of supabase-js to services that are not part of this one say so, and what to do. */
import { describe, expect, it } from 'vitest';
import { functions } from '../../schema/functions.ts';
import { useService } from '../setup/service.ts';
import { type Client, clientOf } from './supabase.ts';

const service = useService();
const anonymous = () => clientOf(service, service.publishableKey);

const auth = { name: 'AuthApiError', status: 404, message: expect.stringContaining('pass accessToken') };
const storage = { name: 'StorageApiError', status: 404, message: expect.stringContaining('keep files') };
const user = { email: 'a@b.example', password: 'secret words' };

it.each<[call: string, error: object, call: (client: Client) => Promise<{ error: unknown }>]>([
  ['auth.signInWithPassword()', auth, client => client.auth.signInWithPassword(user)],
  ['storage.upload()', storage, client => client.storage.from('logos').upload('a.svg', new Blob(['<svg/>']))],
])('supabase.%s is not part of this service', async (_, error, call) => {
  expect((await call(anonymous())).error).toMatchObject(error);
});

it('supabase.functions.invoke() is not part of this service, and its error names supabase.rpc()', async () => {
  const { error } = await anonymous().functions.invoke('price-quote', { body: { quote: 1 } });
  expect(error).toMatchObject({ name: 'FunctionsHttpError', context: { status: 404 } });
  expect(await error.context.json()).toEqual({
    code: 'PGRST125',
    message: 'supabase.functions is not part of this service: call its functions with supabase.rpc()',
    details: null,
    hint: `Known functions: ${functions.map(({ name }) => name).join(', ')}.`,
  });
});

describe('a path of another service', () => {
  it.each(['/auth/v1x', '/constructor/v1/'])('is not recognised in a similar path: %s', async path => {
    const { message } = (await (await service.fetch(path)).json()) as { message: string };
    expect(message).toBe('Invalid path specified in request URL');
  });
});
