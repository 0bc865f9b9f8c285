/** What is accepted as a time is read back as one that every client and this API accept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);

/** Texts of times about both ends of the years 1 to 9999, and in between. */
const texts = fc
  .record({
    day: fc.constantFrom('0000-12-31', '0001-01-01', '0001-01-02', '2024-02-29', '9999-12-30', '9999-12-31'),
    clock: fc.constantFrom(
      '00:00',
      '04:59:59.999999',
      '12:00:00',
      '23:59:59.9999994',
      '23:59:59.9999996',
      '24:00:00',
    ),
    zone: fc.constantFrom('Z', '+00', '-05:00', '+05:00', '+0530', '-15:59', '+15:59:59', ''),
  })
  .map(({ day, clock, zone }) => `${day}T${clock}${zone}`);
const zones = fc.constantFrom('UTC', 'America/Anchorage', 'Pacific/Kiritimati');

describe('a time', () => {
  it('is refused at its field, or read back within the years 1 to 9999 and accepted again', async () => {
    const { id } = (await staff.send('POST', '/graphics', aGraphic(), representation)).body[0];
    const path = `/graphics?id=eq.${id}&select=created_at`;
    await fc.assert(
      fc.asyncProperty(texts, zones, async (created_at, zone) => {
        const prefer = `return=representation, timezone=${zone}`;
        const { status, body } = await staff.send('PATCH', path, { created_at }, { prefer });
        if (status === 400) {
          expect([body.code, body.issues]).toMatchObject(['22008', [{ path: 'created_at' }]]);
          return;
        }
        const read = (await staff.get(path)).body[0].created_at;
        expect(read).toMatch(/^\d{4}-/);
        expect(new Date(read).getTime()).not.toBeNaN();
        expect((await staff.send('PATCH', path, { created_at: read })).status).toBe(204);
        expect((await staff.get(path)).body[0].created_at).toBe(read);
      }),
      { numRuns: rounds(60, 600) },
    );
  });
});
