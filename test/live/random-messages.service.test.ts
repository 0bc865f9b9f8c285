/** Messages that no client sends: each is answered, ignored or closes its socket, and breaks nothing. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { all, Wire } from './wire.ts';

const service = useService();
let token: string;
beforeAll(async () => {
  token = await service.token({ account: randomUUID() });
});

const event = fc.oneof(
  fc.constantFrom('phx_join', 'phx_leave', 'access_token', 'heartbeat', 'broadcast', 'presence', 'phx_reply'),
  fc.string(),
);
const topic = fc.oneof(fc.constantFrom('realtime:x', 'realtime:', 'phoenix', 'realtime:*'), anyText());
const reference = fc.oneof(fc.constantFrom('1', '2', null), fc.string(), fc.jsonValue());
const filter = fc.oneof(
  fc.constantFrom(
    'id=eq.1',
    'id=in.(1,2)',
    'account_id=eq.x',
    'body=like.%',
    'status=not.is.null',
    'a,b',
    'id=eq.',
  ),
  anyText(),
);
const binding = fc.record(
  {
    event: fc.oneof(fc.constantFrom('*', 'INSERT', 'UPDATE', 'DELETE'), fc.jsonValue()),
    schema: fc.oneof(fc.constantFrom('public', 'builder'), fc.jsonValue()),
    table: fc.oneof(
      fc.constantFrom('notifications', 'quotes', 'graphics', 'changes', '__proto__'),
      fc.jsonValue(),
    ),
    filter: fc.oneof(filter, fc.jsonValue()),
    select: fc.oneof(fc.constant(['id']), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const payload = (accessToken: string) =>
  fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        config: fc.oneof(
          fc.jsonValue(),
          fc.record({ postgres_changes: fc.oneof(fc.array(binding), fc.jsonValue()) }),
        ),
        access_token: fc.oneof(fc.constant(accessToken), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  );
const message = (accessToken: string) =>
  fc.oneof(
    fc.tuple(reference, reference, topic, event, payload(accessToken)),
    fc.record({ topic, event, ref: reference, join_ref: reference, payload: payload(accessToken) }),
    fc.jsonValue(),
  );

it('random messages are answered or ignored, and break nothing', { timeout: 120_000 }, async () => {
  service.logs.length = 0;
  const texts = fc.oneof(
    message(token).map(value => JSON.stringify(value)),
    anyText(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(texts, { maxLength: 12 }),
      fc.constantFrom('1.0.0', '2.0.0'),
      async (sent, version) => {
        const wire = await Wire.open(service, { version });
        try {
          expect(await wire.join('before', [all], token)).toMatchObject({ status: 'ok' });
          for (const text of sent) {
            wire.socket.send(text);
          }
          wire.ref = 1_000_000;
          expect(await wire.join('after', [all], token)).toMatchObject({ status: 'ok' });
          await wire.heartbeat();
        } finally {
          wire.close();
        }
      },
    ),
    { numRuns: rounds(40, 300) },
  );
  expect(service.logs.filter(line => /crash|error/i.test(line))).toEqual([]);
});
