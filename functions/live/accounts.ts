/** Asks the database which accounts' changes concern a caller: about several callers together, in the order they came. */
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { crashLine } from '../log/crash-line.ts';
import { accountsMessage } from '../statement/live.ts';
import type { LiveCaller } from './channel.ts';
import type { Ask } from './feed.ts';
import { liveLimits } from './limits.ts';

export class Accounts {
  readonly #ask: Ask;
  readonly #waiting = new Map<LiveCaller, PromiseWithResolvers<Result<void>>>();
  #isAsking = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Asks about those whose accounts are too old, as memberships change. The old ones count until then. */
  refresh(callers: LiveCaller[]): void {
    for (const caller of callers.filter(isUnknown)) {
      this.know(caller);
    }
  }

  /** Resolves when the accounts of the caller are known and not too old, or to why they can't be known. */
  know(caller: LiveCaller): Promise<Result<void>> {
    if (!isUnknown(caller)) {
      return Promise.resolve(ok(undefined));
    }
    const waiting = this.#waiting.get(caller) ?? Promise.withResolvers<Result<void>>();
    this.#waiting.set(caller, waiting);
    this.#askWhileAnyWait();
    return waiting.promise;
  }

  async #askWhileAnyWait(): Promise<void> {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, liveLimits.callersOfJoins);
      const result = await this.#askFor(batch.map(([caller]) => caller)).catch(crashed);
      for (const [caller, { resolve }] of batch) {
        this.#waiting.delete(caller);
        resolve(result);
      }
    }
    this.#isAsking = false;
  }

  async #askFor(callers: LiveCaller[]): Promise<Result<void>> {
    const claims = callers.map(({ caller }) => caller.claims ?? {});
    const rows = await this.#ask(accountsMessage(claims, liveLimits.lockTimeout));
    if (!rows.ok) {
      return rows;
    }
    const accounts: string[][] = JSON.parse(rows.value[0]?.['accounts'] ?? '[]');
    for (const [index, caller] of callers.entries()) {
      caller.accounts = new Set(accounts[index]);
      caller.askedAt = Date.now();
    }
    return ok(undefined);
  }
}

/** Returns the failure that a bug becomes, so that nobody waits for ever because of it. */
function crashed(error: unknown): Result<void> {
  console.error(crashLine(error as Error));
  return fail<Failure>({ is: 'database unavailable', reason: 'crash' });
}

/** Whether the accounts of a caller must be asked for. Only a customer's changes depend on them. */
const isUnknown = ({ caller, askedAt }: LiveCaller): boolean =>
  caller.audience === 'customer' && askedAt <= Date.now() - liveLimits.accountsFor;
