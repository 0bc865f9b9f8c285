/** Devices of a user that differ in nothing but the references of their messages, and what one of them has lost. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { all, Wire } from '../live/wire.ts';
import type { Service } from '../setup/service.ts';
import { write } from './noted-rows.ts';

export class User {
  readonly #service: Service;
  readonly #account = randomUUID();
  readonly #wires: Wire[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  /** A device whose first message has the reference behind this one, joined. */
  async connect(ref: number): Promise<Wire> {
    const [wire, token] = await Promise.all([
      Wire.open(this.#service, { ref }),
      this.#service.token({ account: this.#account }),
    ]);
    this.#wires.push(wire);
    expect(await wire.join('x', [all], token)).toMatchObject({ status: 'ok' });
    return wire;
  }

  writeLost(): Promise<void> {
    return write(this.#service.sql, this.#account, ...lost);
  }

  /** Every device is gone. */
  leave(): void {
    for (const wire of this.#wires) {
      wire.cut();
    }
  }
}

export const lost = Array.from({ length: 6 }, (_, number) => `lost ${number}`);

/** All that was told to it has arrived, and the service knows. */
export async function prove(wire: Wire): Promise<void> {
  await wire.heartbeat();
  await wire.heartbeat();
}

/** It is told of what was lost, in any order and perhaps twice, or that it must read again. */
export async function expectToldOfLost(wire: Wire): Promise<void> {
  const lacking = () => {
    const bodies = wire.changes().map(({ data }) => data.record?.['body']);
    return isToldToRead(wire) ? [] : lost.filter(body => !bodies.includes(body));
  };
  await vi.waitFor(() => expect(lacking()).toEqual([]), { timeout: 10_000, interval: 20 });
}

const isToldToRead = ({ messages }: Wire): boolean =>
  messages.some(({ event, payload }) => event === 'system' && payload.status === 'error');
