/**
 * Postgres parses and plans a text each time it comes, which costs it 25 to 40 % of a request's CPU. A session that is
 * ours alone can prepare a statement and execute it again: PREPARE and EXECUTE are SQL, so both fit into the one simple
 * message of a request.
 */
import { limits } from '../common/limits.ts';
import { argumentsOf, inlined, type SqlParts, shapeOf } from './sql.ts';

/** The statements of a message, as they cross to the object that has the connections. */
export interface Statements {
  /** What comes before them: empty, or a comment and a line end. */
  comment: string;
  statements: readonly SqlParts[];
}

/** The message with every value as a literal in its text: right for every connection. */
export const inlineText = ({ comment, statements }: Statements): string =>
  comment + statements.map(inlined).join(';\n');

/** EXPLAIN and ROLLBACK can't be prepared. */
const canBePrepared = (shape: string): boolean => /^(?:select|insert|update|delete|with)\b/.test(shape);

/**
 * How often each shape came lately, over all connections of a pool. Shapes that come once are not worth preparing, and a
 * caller who sends many of its own must not displace those that everybody sends.
 */
export class ShapeCounts {
  readonly #counts = new Map<string, number>();
  #counted = 0;
  #misses = 0;

  /** A session lacked what was prepared in it. */
  miss(): void {
    this.#misses += 1;
  }

  /** Behind a pooler that gives each message another session, preparing only fills the server's memory. */
  get areSessionsShared(): boolean {
    return this.#misses >= limits.prepared.misses;
  }

  count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.#counted += 1;
    if (this.#counted >= limits.prepared.countedUses || this.#counts.size > limits.prepared.countedShapes) {
      this.#halve();
    }
    return count;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** So that what was usual yesterday makes room for what is usual today. */
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

/**
 * The prepared statements of one session. A statement is prepared together with those before it in its message as its
 * key, since it is planned with the rights of the role that they set: the same statement of another role has a name of
 * its own. Names are unique, so that behind a pooler that mixes sessions a name never means another statement.
 */
export class PreparedStatements {
  readonly #counts: ShapeCounts;
  readonly #prefix = `s${crypto.randomUUID().replaceAll('-', '')}_`;
  /** By key, the least recently used first. */
  readonly #names = new Map<string, string>();
  #prepared = 0;

  constructor(counts: ShapeCounts) {
    this.#counts = counts;
  }

  /** The message's text, which executes what is prepared and prepares what has come before. */
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

  /** Of a message that failed because of what was prepared: none of it is executed again. */
  forget({ statements }: Statements, isMissing: boolean): void {
    if (isMissing) {
      this.#counts.miss();
    }
    let key = '';
    for (const statement of statements) {
      key += `${shapeOf(statement)};`;
      this.#names.delete(key);
    }
  }

  #renderOne(key: string, shape: string, statement: SqlParts): string {
    if (key.length > limits.prepared.length || !canBePrepared(shape) || this.#counts.areSessionsShared) {
      return inlined(statement);
    }
    const count = this.#counts.count(key);
    const name = this.#names.get(key);
    if (name !== undefined) {
      this.#names.delete(key);
      this.#names.set(key, name);
      return execute(name, statement);
    }
    return count < 2 || !this.#hasRoomFor(count) ? inlined(statement) : this.#prepare(key, shape, statement);
  }

  /** Whether there is room, or the least recently used came less often lately. */
  #hasRoomFor(count: number): boolean {
    const [oldest] = this.#names.keys();
    return (
      this.#names.size < limits.prepared.statements || oldest === undefined || this.#counts.of(oldest) < count
    );
  }

  #prepare(key: string, shape: string, statement: SqlParts): string {
    let before = '';
    const [oldest] = this.#names;
    if (oldest && this.#names.size >= limits.prepared.statements) {
      this.#names.delete(oldest[0]);
      before = `deallocate ${oldest[1]};\n`;
    }
    this.#prepared += 1;
    const name = `${this.#prefix}${this.#prepared}`;
    this.#names.set(key, name);
    return `${before}prepare ${name} as ${shape};\n${execute(name, statement)}`;
  }
}

const execute = (name: string, statement: SqlParts): string => `execute ${name}${argumentsOf(statement)}`;
