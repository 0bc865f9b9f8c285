/**
 * Prepared statements. Parsing and planning each text takes 25 to 40 % of a request's CPU in Postgres. An unshared session
 * can prepare a statement and execute it repeatedly. PREPARE and EXECUTE are SQL, so both fit into the one simple message of
 * a request.
 *
 * Two facts make this safe. A message is one transaction, so a failed one can be sent again without prepared statements.
 * And Postgres reports by SQLSTATE that a session lacks a statement or that its columns have changed.
 */
import { LruCache } from '../common/lru-cache.ts';
import { argumentsOf, inlined, type SqlParts, shapeOf } from './render-sql.ts';

/** Limits of the prepared statements of a pool. */
export const preparedLimits = {
  /** Statements per connection. The builder sends some ten shapes, and each takes up to 500 KB in Postgres. */
  statements: 40,
  /** Characters of a statement and those before it in its message; longer ones are not worth preparing. */
  length: 5000,
  /** Shapes whose uses are counted, over all connections of a pool. */
  countedShapes: 300,
  /** Executions in sessions that lacked the statement, after which a pool stops preparing. */
  misses: 10,
  /** Uses after which all counts are halved. */
  countedUses: 3000,
};

/** The statements of a message in the form that is passed to the pool's object. */
export interface Statements {
  /** Their prefix: empty, or a comment and a line end. */
  comment: string;
  statements: readonly SqlParts[];
}

/** Returns the message with every value as a literal in its text, which works on every connection. */
export const inlineText = ({ comment, statements }: Statements): string =>
  comment + statements.map(inlined).join(';\n');

/**
 * SQLSTATEs of prepared statements: the session lacks the statement (26000: a pooler switched the session) or has another
 * with its name (42P05), the columns have changed since it was prepared (0A000: a migration), or it can't be prepared (42P18).
 */
const missingStatement = '26000';
const changedColumns = '0A000';
const preparedFailures = [missingStatement, '42P05', changedColumns, '42P18'];

/** Whether a message may have failed because its statements are prepared, and would succeed with inline values. */
export const isPreparedFailure = (sqlstate: string | undefined): boolean =>
  sqlstate !== undefined && preparedFailures.includes(sqlstate);

/** Whether a statement can be prepared; EXPLAIN and ROLLBACK can't. */
const canBePrepared = (shape: string): boolean => /^(?:select|insert|update|delete|with)\b/.test(shape);

/**
 * Recent uses of each shape, over all connections of a pool. A shape that is used once is not worth preparing, and a caller
 * with many unusual shapes must not evict the common ones.
 */
export class ShapeCounts {
  readonly #counts = new Map<string, number>();
  #counted = 0;
  #misses = 0;

  /** Counts an execution in a session that lacked the prepared statement. */
  miss(): void {
    this.#misses += 1;
  }

  /** Whether a pooler seems to give each message another session. Then preparing only fills the server's memory. */
  get areSessionsShared(): boolean {
    return this.#misses >= preparedLimits.misses;
  }

  count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.#counted += 1;
    if (this.#counted >= preparedLimits.countedUses || this.#counts.size > preparedLimits.countedShapes) {
      this.#halve();
    }
    return count;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Halves all counts, so that old uses weigh less than recent ones. */
  #halve(): void {
    this.#counted = 0;
    for (const [key, count] of this.#counts) {
      if (count < 2) {
        this.#counts.delete(key);
      } else {
        this.#counts.set(key, Math.floor(count / 2));
      }
    }
  }
}

interface PreparedStatement {
  key: string;
  name: string;
}

/**
 * The prepared statements of one session. The key of a statement includes the statements before it in its message, since
 * these set the role whose rights it is planned with. Names are unique, so that behind a pooler that mixes sessions a name
 * never means another statement.
 */
export class PreparedStatements {
  readonly #counts: ShapeCounts;
  readonly #prefix = `s${crypto.randomUUID().replaceAll('-', '')}_`;
  readonly #statements = new LruCache<PreparedStatement>(preparedLimits.statements);
  #prepared = 0;

  constructor(counts: ShapeCounts) {
    this.#counts = counts;
  }

  /** Returns the message's text. It executes prepared statements, and prepares those that were used before. */
  render({ comment, statements }: Statements): string {
    let key = '';
    let text = comment;
    for (const [index, statement] of statements.entries()) {
      const shape = shapeOf(statement);
      key += `${shape};`;
      text += (index === 0 ? '' : ';\n') + this.#renderOne(key, shape, statement);
    }
    return text;
  }

  /**
   * Stops using the statements that made this message fail. `outdated`: the session must not be used again, since it still
   * holds the outdated statements.
   */
  forget({ statements }: Statements, sqlstate: string | undefined): 'forgotten' | 'outdated' {
    if (sqlstate === changedColumns) {
      return 'outdated';
    }
    if (sqlstate === missingStatement) {
      this.#counts.miss();
    }
    let key = '';
    for (const statement of statements) {
      key += `${shapeOf(statement)};`;
      this.#statements.delete(key);
    }
    return 'forgotten';
  }

  #renderOne(key: string, shape: string, statement: SqlParts): string {
    if (key.length > preparedLimits.length || !canBePrepared(shape) || this.#counts.areSessionsShared) {
      return inlined(statement);
    }
    const count = this.#counts.count(key);
    const prepared = this.#statements.get(key);
    if (prepared) {
      return executeText(prepared, statement);
    }
    if (count < 2) {
      return inlined(statement);
    }
    const isFull = this.#statements.size >= preparedLimits.statements;
    const evicted = isFull ? this.#statements.leastRecentlyUsed : undefined;
    return evicted && this.#counts.of(evicted.key) >= count
      ? inlined(statement)
      : this.#prepare(key, shape, statement, evicted);
  }

  #prepare(key: string, shape: string, statement: SqlParts, evicted?: PreparedStatement): string {
    this.#prepared += 1;
    const prepared = { key, name: `${this.#prefix}${this.#prepared}` };
    this.#statements.set(key, prepared);
    const before = evicted ? `deallocate ${evicted.name};\n` : '';
    return `${before}prepare ${prepared.name} as ${shape};\n${executeText(prepared, statement)}`;
  }
}

const executeText = ({ name }: PreparedStatement, statement: SqlParts): string =>
  `execute ${name}${argumentsOf(statement)}`;
