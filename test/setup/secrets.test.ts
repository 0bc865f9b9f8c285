/** The tests' own search of the log says where it found something. */
import { expect, it } from 'vitest';
import { Secrets } from './secrets.ts';

it('a value of a request in the log is reported with its line, also a key of a body', () => {
  const secrets = new Secrets();
  secrets.addRequest('', new Headers(), JSON.stringify([{ 'ann@lions.test': 1 }]));
  const line = '{"reason":"invalid fields: 0.ann@lions.test"}';
  expect(secrets.inLog(['{"status":200}', line])).toEqual([`of a request: "ann@lions.test", in ${line}`]);
});
