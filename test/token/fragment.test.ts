import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { describeFragment } from '../../functions/token/fragment.ts';

const secret = new TextEncoder().encode('a secret of at least thirty-two bytes');

async function signed(alg: string): Promise<string> {
  const key = alg === 'HS256' ? secret : (await generateKeyPair(alg)).privateKey;
  return new SignJWT({ role: 'anon' }).setProtectedHeader({ alg }).sign(key);
}

describe.each(['HS256', 'ES256', 'EdDSA', 'RS256'])('a token signed with %s', alg => {
  it('is no fragment when it is complete', async () => {
    expect(describeFragment(await signed(alg))).toBeUndefined();
  });

  it('is a fragment wherever its end is cut off, and says what is missing', async () => {
    const token = await signed(alg);
    const [header = '', payload = '', signature = ''] = token.split('.');
    for (let length = 3; length < token.length; length++) {
      const parts = length <= header.length ? 1 : length <= header.length + 1 + payload.length ? 2 : 3;
      const left = length - header.length - payload.length - 2;
      expect(describeFragment(token.slice(0, length))).toBe(
        parts < 3
          ? `The token is truncated: it has ${parts} of its 3 parts`
          : `The token is truncated: its signature has ${left} of ${signature.length} characters`,
      );
    }
  });
});

it.each([
  ...['', 'ey', 'undefined', 'sb_publishable_0123456789', 'abc.def', 'eyJ!.eyJ', 'eyJ.eyJ.x'],
  ...['eyJhbGciOiJIUzI1NiJ9.eyJ.x.y', 'eyJhbGciOiJub25lIn0.eyJ.', 'eyJhbGciOlsiSFMyNTYiXX0.eyJ.x'],
])('a text that is no token, or of no known algorithm, is no fragment: %s', text => {
  expect(describeFragment(text)).toBeUndefined();
});
