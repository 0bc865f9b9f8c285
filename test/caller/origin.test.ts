import { expect, it } from 'vitest';
import { isToLoopback } from '../../functions/caller/origin.ts';

const to = (host?: string): boolean =>
  isToLoopback({ headers: new Headers(host === undefined ? {} : { host }) } as Request);

it.each(['localhost', 'LOCALHOST:8787', '127.0.0.1:8787', '[::1]:80'])('%s is this machine', host => {
  expect(to(host)).toBe(true);
});

it.each([
  ...[undefined, '', 'api.example.com', 'localhost.example.com', '127.0.0.10', 'localhost:8787:1', '::1'],
])('%s is not this machine', host => {
  expect(to(host)).toBe(false);
});
