import { expect, it } from 'vitest';
import { deliveryVariables } from '../../functions/local/variables.ts';

const demo = {
  DELIVER: 'on',
  WEBHOOKS_ON_LOOPBACK: 'on',
  MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
  SERVICE_URL: 'http://127.0.0.1:8787',
};
const app = { APP_URL: 'http://127.0.0.1:8787/demo#/' };

it('the demo’s e-mail goes to the inbox, or where and as whom the developer says', () => {
  expect(deliveryVariables(8787, true, {})).toEqual({ variables: { ...demo, ...app }, hasInbox: true });
  const own = { MAIL_URL: 'smtp://127.0.0.1:2525', APP_URL: 'https://a.example', MAIL_FROM: 'a@b.example' };
  const variables = { ...demo, ...own };
  expect(deliveryVariables(8787, true, { ...own, HOME: '/' })).toEqual({ variables, hasInbox: false });
});

it('no e-mail is taken from a database that is not the demo’s, unless the developer says where to send it', () => {
  const variables = { WEBHOOKS_ON_LOOPBACK: 'on', DELIVER: 'off' };
  expect(deliveryVariables(8787, false, {})).toEqual({ variables, hasInbox: false });
  const own = { MAIL_URL: 'smtps://user:password@relay.example' };
  const sent = { ...demo, ...own, DELIVER: 'off' };
  expect(deliveryVariables(8787, false, own)).toEqual({ variables: sent, hasInbox: false });
});

it.each([
  [true, undefined, 'on'],
  [true, 'off', 'off'],
  [false, undefined, 'off'],
  [false, 'on', 'on'],
])('webhooks are called of the demo, and of another database only with DELIVER=on: %s, %s: %s', (isDemo, given, is) => {
  const { variables } = deliveryVariables(8787, isDemo, { DELIVER: given });
  expect(variables['DELIVER']).toBe(is);
});
