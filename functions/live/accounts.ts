/** The callers who listen, and the accounts whose changes concern each. Several are asked about together, in the order they came. */
import { everyone } from '../../schema/everyone.ts';
import type { Caller } from '../caller/caller.ts';
import { crashLine } from '../common/crash-line.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { minute } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { SendMessage } from '../database/execute.ts';
import { type Change, lockTimeout } from './feed.ts';
import { accountsMessage } from './statements.ts';

/** Callers whose accounts one message asks for. */
const callersOfMessage = 100;

/** Milliseconds after which the accounts of a caller are asked for again. */
export const accountsFor = 5 * minute;

/** Everyone who asks with the same claims. */
export interface LiveCaller {
  caller: Caller;
  /** The accounts whose changes are read for it. What it sees of them, the policies decide. */
  accounts: Set<string>;
  /** When they were asked for, by monotonicNow(); 0 when they are not known. */
  askedAt: number;
}

/** Returns the user, whatever its claims are at the moment. */
export const userOf = ({ kind, claims }: Caller): string => (claims && 'sub' in claims ? claims.sub : kind);

/** Whether a caller may see a change. */
export const concerns = ({ account, user }: Change, { caller, accounts }: LiveCaller): boolean =>
  user === null
    ? caller.audience === 'staff' || account === everyone || accounts.has(account)
    : user === userOf(caller);

/** Whether a caller sees what another does not: changes of that were not sent. */
export const seesMore = (one: LiveCaller, other: LiveCaller): boolean =>
  other.caller.audience !== 'staff' &&
  (one.caller.audience === 'staff' || [...one.accounts].some(account => !other.accounts.has(account)));

export class Accounts {
  readonly #ask: SendMessage;
  readonly #gained: (caller: LiveCaller) => void;
  /** By their claims. */
  readonly #callers = new Map<string, LiveCaller>();
  readonly #waiting = new Map<LiveCaller, PromiseWithResolvers<Result<void>>>();
  #isAsking = false;

  /** Calls `gained` for a caller that sees more accounts than before: changes of theirs were not sent. */
  constructor(ask: SendMessage, gained: (caller: LiveCaller) => void) {
    this.#ask = ask;
    this.#gained = gained;
  }

  /** Returns the caller with these claims, which refresh() forgets unless a channel has it. */
  callerFor(caller: Caller): LiveCaller {
    const key = `${caller.audience} ${JSON.stringify(caller.claims)}`;
    const known = this.#callers.get(key) ?? { caller, accounts: new Set(), askedAt: 0 };
    this.#callers.set(key, known);
    return known;
  }

  /** Asks about the callers of channels whose accounts are too old, as memberships change. The old ones count until then. */
  refresh(inUse: ReadonlySet<LiveCaller>): void {
    for (const [key, caller] of this.#callers) {
      if (inUse.has(caller)) {
        this.know(caller);
      } else if (!this.#waiting.has(caller)) {
        this.#callers.delete(key);
      }
    }
  }

  /**
   * Resolves when the accounts of a caller are known as of this time or later, or to why they can't be known. Only a
   * customer's changes depend on them.
   */
  async know(caller: LiveCaller, since = monotonicNow() - accountsFor + 1): Promise<Result<void>> {
    let result: Result<void> = ok(undefined);
    while (result.ok && caller.caller.audience === 'customer' && caller.askedAt < since) {
      const waiting = this.#waiting.get(caller) ?? Promise.withResolvers<Result<void>>();
      this.#waiting.set(caller, waiting);
      this.#askWhileAnyWait();
      result = await waiting.promise;
    }
    return result;
  }

  async #askWhileAnyWait(): Promise<void> {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, callersOfMessage);
      const result = await this.#askFor(batch.map(([caller]) => caller)).catch(crashed);
      for (const [caller, { resolve }] of batch) {
        this.#waiting.delete(caller);
        resolve(result);
      }
    }
    this.#isAsking = false;
  }

  async #askFor(callers: LiveCaller[]): Promise<Result<void>> {
    const askedAt = monotonicNow();
    const claims = callers.map(({ caller }) => caller.claims ?? {});
    const rows = await this.#ask(accountsMessage(claims, lockTimeout));
    if (!rows.ok) {
      return rows;
    }
    const answer: string[][] = JSON.parse(rows.value[0]?.['accounts'] ?? '[]');
    for (const [index, caller] of callers.entries()) {
      const before = { ...caller };
      Object.assign(caller, { accounts: new Set(answer[index]), askedAt });
      if (before.askedAt > 0 && seesMore(caller, before)) {
        this.#gained(caller);
      }
    }
    return ok(undefined);
  }
}

/** Returns the failure that a bug becomes, so that no join waits for ever. */
function crashed(error: unknown): Result<void> {
  console.error(crashLine(error as Error));
  return fail<Failure>({ is: 'crash' });
}
