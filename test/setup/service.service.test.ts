import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRoundTripCounter } from './round-trips.ts';
import { postgresPort, type Service, startService } from './service.ts';

describe('a service over the pool', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('answers from a database of its own', async () => {
    await service.sql`
      insert into builder.graphics (name, code, file_url, file_format)
      values ('Bolt', 'BOLT', 'https://storage.example.com/bolt.svg', 'svg')`;
    const response = await service.fetch('/rest/v1/graphics?select=code', { headers: service.headers() });
    expect(await response.json()).toEqual([{ code: 'BOLT' }]);
  });

  it('accepts the tokens it makes', async () => {
    const account = '11111111-1111-4111-8111-111111111111';
    const headers = service.headers(await service.token({ account }));
    const response = await service.fetch('/rest/v1/quotes?select=id', { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
  });

  it("runs the sweep, and collects the worker's log", async () => {
    await service.sweep();
    expect(service.logs.join('\n')).toContain('sweep');
  });

  it('answers at the same address after a restart with other variables', async () => {
    expect((await service.fetch('/')).status).toBe(200);
    await service.restart({ REFERENCE: 'off' });
    expect((await service.fetch('/')).status).toBe(404);
    expect((await service.fetch('/health')).status).toBe(200);
    await service.sweep();
  });
});

describe('a service over Hyperdrive', () => {
  it('reaches Postgres through a proxy that counts round trips', async () => {
    const counter = await startRoundTripCounter(postgresPort());
    const service = await startService({ hyperdrive: true, databasePort: counter.port });
    try {
      expect((await service.fetch('/health')).status).toBe(200);
      expect(counter.connections()).toBe(1);
      expect(counter.roundTrips()).toBeGreaterThan(1);
      counter.reset();
      expect(counter.roundTrips()).toBe(0);
    } finally {
      await service.stop();
      await counter.stop();
    }
  });
});

describe('a service without its database', () => {
  it('is not healthy', async () => {
    const counter = await startRoundTripCounter(postgresPort());
    await counter.stop();
    const service = await startService({ databasePort: counter.port });
    try {
      expect((await service.fetch('/health')).status).toBe(503);
    } finally {
      await service.stop();
    }
  });
});

describe('a service that logs a secret', () => {
  it.each<[what: string, line: (service: Service) => string]>([
    ['SECRET_KEY', ({ secretKey }) => secretKey],
    ['the password of the database', ({ database }) => new URL(database.apiUrl).password],
    ['"eq.planted value"', () => "name: 'eq.planted value'"],
  ])('fails its test file: %s', async (what, line) => {
    const service = await startService();
    await service.fetch('/rest/v1/graphics?name=eq.planted%20value', { headers: service.headers() });
    service.logs.push(line(service));
    await expect(service.stop()).rejects.toThrow(what);
  });
});
