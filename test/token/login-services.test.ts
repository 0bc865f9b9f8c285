/** Access tokens as the login services of RECIPES.md issue them, checked with their key set, issuer and audience. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { verifyToken } from '../../functions/token/token.ts';
import { answering, type KeyServer, startKeyServer } from '../setup/key-server.ts';

const sub = 'c0000000-0000-4000-8000-000000000001';
const team = 'c0000000-0000-4000-8000-00000000000a';

const services = [
  {
    service: 'Supabase Auth',
    alg: 'ES256',
    issuer: 'https://project.supabase.co/auth/v1',
    audience: 'authenticated',
    claims: {
      aud: 'authenticated',
      role: 'authenticated',
      email: 'robin@example.com',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'], role: 'sales', account_ids: [team] },
      user_metadata: { email_verified: true, role: 'admin' },
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: 1_790_000_000 }],
      session_id: '6c0f3f2e-6f4c-4f0e-9a55-0d4f1c3c8b11',
      is_anonymous: false,
    },
  },
  {
    service: 'Keycloak',
    alg: 'RS256',
    issuer: 'https://login.example.com/realms/uniforms',
    audience: 'uniform-builder',
    claims: {
      aud: ['uniform-builder', 'account'],
      typ: 'Bearer',
      azp: 'builder-app',
      sid: '6c0f3f2e-6f4c-4f0e-9a55-0d4f1c3c8b11',
      acr: '1',
      'allowed-origins': ['https://builder.example.com'],
      realm_access: { roles: ['offline_access', 'uma_authorization'] },
      scope: 'profile email',
      preferred_username: 'robin',
      role: 'authenticated',
      app_metadata: { role: 'sales', account_ids: [team] },
    },
  },
];

describe.each(services)('a token of $service', ({ alg, issuer, audience, claims }) => {
  let keyServer: KeyServer;
  let env: Env;
  let sign: (more?: object) => Promise<string>;
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    const key = { ...(await exportJWK(publicKey)), kid: 'a-key', alg, use: 'sig' };
    keyServer = await startKeyServer(answering({ keys: [key] }));
    env = { JWKS_URL: keyServer.url, JWT_ISSUER: issuer, JWT_AUDIENCE: audience };
    const exp = Math.floor(Date.now() / 1000) + 600;
    sign = more =>
      new SignJWT({ iss: issuer, sub, exp, ...claims, ...more })
        .setProtectedHeader({ alg, kid: 'a-key', typ: 'JWT' })
        .sign(privateKey);
  });
  afterAll(() => keyServer.stop());

  it('says whose accounts its holder may use, and that it is one of the staff', async () => {
    expect(await verifyToken(await sign(), env)).toEqual({
      ok: true,
      value: { role: 'authenticated', sub, app_metadata: { role: 'sales', account_ids: [team] } },
    });
  });
});
