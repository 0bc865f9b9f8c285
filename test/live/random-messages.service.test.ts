/** Messages that no client sends: each is answered, ignored or closes its socket, and breaks nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { all, useLive, Wire } from './wire.ts';

const service = useService();
const live = useLive(service);

const oneOf = (...values: unknown[]) => fc.oneof(fc.constantFrom(...values), anyText(), fc.jsonValue());
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const reference = oneOf('1', '2', null);
const topic = oneOf('realtime:x', 'realtime:', 'phoenix', 'realtime:*');
const event = oneOf(...'phx_join phx_leave access_token heartbeat broadcast presence phx_reply'.split(' '));
const binding = some({
  event: oneOf('*', 'INSERT', 'UPDATE', 'DELETE'),
  schema: oneOf('public', 'builder'),
  table: oneOf('notifications', 'quotes', 'graphics', 'changes', '__proto__'),
  filter: oneOf(
    ...'id=eq.1 id=in.(1,2) account_id=eq.x body=like.% status=not.is.null a,b id=eq.'.split(' '),
  ),
  select: oneOf(['id']),
});
const config = fc.oneof(
  fc.record({ postgres_changes: fc.oneof(fc.array(binding), fc.jsonValue()) }),
  fc.jsonValue(),
);

it('random messages are answered or ignored, and break nothing', async () => {
  service.logs.length = 0;
  const { token } = live;
  const payload = fc.oneof(fc.jsonValue(), some({ config, access_token: oneOf(token) }));
  const message = fc.oneof(
    fc.tuple(reference, reference, topic, event, payload),
    fc.record({ topic, event, ref: reference, join_ref: reference, payload }),
    fc.jsonValue(),
  );
  const texts = fc.oneof(
    message.map(value => JSON.stringify(value)),
    anyText(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(texts, { maxLength: 12 }),
      fc.constantFrom('1.0.0', '2.0.0'),
      async (sent, version) => {
        const wire = await Wire.listen(service, token, { version });
        try {
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
    { numRuns: rounds(20, 50) },
  );
  expect(service.logs.filter(line => /crash|error/i.test(line))).toEqual([]);
});
