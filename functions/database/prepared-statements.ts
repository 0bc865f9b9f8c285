import { LruCache } from '../common/lru-cache.ts';
import { argumentsOf, inlined, type SqlParts, shapeOf } from './render-sql.ts';

/** Limits of the prepared statements of a connection. */
export const preparedLimits = {
  /** Statements. The builder sends some ten shapes, and each takes up to 500 KB in Postgres. */
  statements: 40,
  /** Characters of a statement and those before it in its message; longer ones are not worth preparing. */
  length: 5000,
  /** Characters of shapes that were used once. */
  seen: 100_000,
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
 * SQLSTATEs of prepared statements: the session lacks the statement (26000: a pooler has switched the session), its columns have
 * changed since it was prepared (0A000: a migration), or it can't be prepared (42P18).
 */
export const preparedFailures = ['26000', '0A000', '42P18'];

/** Whether a statement can be prepared; EXPLAIN and ROLLBACK can't. */
const canBePrepared = (shape: string): boolean => /^(?:select|insert|update|delete|with)\b/.test(shape);

/**
 * The prepared statements of one session. Parsing and planning each text takes 25 to 40 % of a request's CPU in Postgres.
 * PREPARE and EXECUTE are SQL, so both fit into the one message of a request. A statement is prepared when it is used again.
 *
 * The key of a statement includes the statements before it in its message, since these set the role whose rights it is
 * planned with. Names are unique, so that behind a pooler that mixes sessions a name never means another statement.
 */
export class PreparedStatements {
  readonly #prefix = `s${crypto.randomUUID().replaceAll('-', '')}_`;
  readonly #names = new LruCache<string>(preparedLimits.statements);
  readonly #seen = new LruCache<true>(preparedLimits.seen);
  #prepared = 0;

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

  #renderOne(key: string, shape: string, statement: SqlParts): string {
    const name = this.#names.get(key);
    if (name !== undefined) {
      return `execute ${name}${argumentsOf(statement)}`;
    }
    if (key.length > preparedLimits.length || !canBePrepared(shape)) {
      return inlined(statement);
    }
    if (this.#seen.get(key) === undefined) {
      this.#seen.set(key, true, key.length);
      return inlined(statement);
    }
    const isFull = this.#names.size >= preparedLimits.statements;
    const before = isFull ? `deallocate ${this.#names.leastRecentlyUsed};\n` : '';
    this.#prepared += 1;
    const own = `${this.#prefix}${this.#prepared}`;
    this.#names.set(key, own);
    return `${before}prepare ${own} as ${shape};\nexecute ${own}${argumentsOf(statement)}`;
  }
}
