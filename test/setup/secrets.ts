/** What must be in no log line and in no error: keys, tokens, passwords, statements, stacks, and what requests brought. */

/** Pieces of the statements this service sends, none of which anybody writes by chance. */
const statementPieces =
  /set_config\(|json_agg\(|json_populate_record|json_to_record|page_total|expect_number\(|octet_length\(body|run_once\(|"?builder"?\."?(?:quotes|graphics|notifications)"?(?=[\s",.;)])|\breturning "|\bwith found as\b|\bwhere (?:quotes|graphics|notifications|")/i;

/** The first piece of a statement in a text, if there is one. */
export const findSql = (text: string): string | undefined => statementPieces.exec(text)?.[0];

const stackFrame = /\n\s+at .*:\d+:\d+/;

/** What is in a text that must not be, each thing by its name. */
export class Secrets {
  readonly #known = new Map<string, string>();

  /** Shorter ones are not known: they would be found in texts that don't tell them. */
  add(name: string, secret: string): void {
    if (secret.length >= 8) {
      this.#known.set(secret, name);
    }
  }

  inLog(line: string): string[] {
    return [...this.#found(line), ...(findSql(line) ? ['SQL'] : [])];
  }

  inError(text: string): string[] {
    return [...this.inLog(text), ...(stackFrame.test(text) ? ['a stack'] : [])];
  }

  #found(text: string): string[] {
    return [...this.#known].filter(([secret]) => text.includes(secret)).map(([, name]) => name);
  }
}
