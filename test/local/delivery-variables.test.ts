import { expect, it } from 'vitest';
import { deliveryVariables } from '../../functions/local/delivery-variables.ts';

const demo = {
  WEBHOOKS_ON_LOOPBACK: 'on',
  MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
  SERVICE_URL: 'http://127.0.0.1:8787',
};

it('sends the demo’s e-mail to the inbox', () => {
  expect(deliveryVariables(8787, true, {})).toEqual({ variables: demo, hasInbox: true });
});

it('sends it where the developer says, and as whom', () => {
  const own = { MAIL_URL: 'smtp://127.0.0.1:2525', APP_URL: 'https://a.example', MAIL_FROM: 'a@b.example' };
  expect(deliveryVariables(8787, true, { ...own, HOME: '/' })).toEqual({
    variables: { ...demo, ...own },
    hasInbox: false,
  });
});

it('takes no e-mail from a database that is not the demo’s, unless the developer says where to send it', () => {
  expect(deliveryVariables(8787, false, {})).toEqual({
    variables: { WEBHOOKS_ON_LOOPBACK: 'on' },
    hasInbox: false,
  });
  const own = { MAIL_URL: 'smtps://user:password@relay.example' };
  expect(deliveryVariables(8787, false, own)).toEqual({ variables: { ...demo, ...own }, hasInbox: false });
});
