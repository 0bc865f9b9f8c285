import { expect, it } from 'vitest';
import { loginUrl } from '../../sql/login-passwords.ts';

it.each([
  [
    'postgres://owner:secret@db.example:5433/app?sslmode=require',
    'postgres://builder_api:a%2Fb@db.example:5433/app?sslmode=require',
  ],
  [
    'postgres://postgres.abcdef:secret@aws-0-eu-central-1.pooler.supabase.com:5432/postgres',
    'postgres://builder_api.abcdef:a%2Fb@aws-0-eu-central-1.pooler.supabase.com:5432/postgres',
  ],
])('a login role connects like the owner of %s, to the same project of a pooler', (owner, login) => {
  expect(loginUrl(owner, 'builder_api', 'a/b')).toBe(login);
});
