/** Asks the database which accounts' changes concern a caller: about several callers together, in the order they came. */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { crashLine } from '../log/crash-line.ts';
import { accountsMessage } from '../statement/live.ts';
import type { LiveCaller } from './channels.ts';
import type { Ask } from './feed.ts';

export class Accounts {
  readonly #ask: Ask;
  readonly #waiting = new Map<LiveCaller, PromiseWithResolvers<Result<void>>>();
  #isAsking = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Callers that wait for their accounts. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Asks about those whose accounts are too old, as memberships change. What is told meanwhile goes by the old ones. */
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
      const batch = [...this.#waiting].slice(0, limits.live.callersOfJoins);
      const result = await this.#askFor(batch.map(([caller]) => caller)).catch(crashed);
      for (const [caller, { resolve }] of batch) {
        this.#waiting.delete(caller);
        resolve(result);
      }
    }
    this.#isAsking = false;
  }

  async #askFor(callers: LiveCaller[]): Promise<Result<void>> {
    const rows = await this.#ask(
      accountsMessage(
        'customer',
        callers.map(({ caller }) => caller.claims ?? {}),
      ),
    );
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
  caller.audience === 'customer' && askedAt <= Date.now() - limits.live.accountsFor;
