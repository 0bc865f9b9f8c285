/**
 * Parses the content of a file of secrets: a JSON object of texts, or `NAME=value` lines as shells and dotenv read them. What
 * such programs read differently is refused. No failure contains a value.
 */
import { fail, ok, type Result } from '../../common/failure/result.ts';

/** Returns the values by name, or what is wrong, as the end of a sentence that begins with the file's name. */
export function parseSecrets(content: Uint8Array): Result<Record<string, string>, string> {
  const text = decode(content);
  if (!text.ok) {
    return text;
  }
  return /^\s*[{["]/.test(text.value) ? parseJson(text.value) : parseLines(text.value);
}

/** Decodes UTF-8, and UTF-16 with a byte order mark, as PowerShell and Notepad write it. */
function decode(content: Uint8Array): Result<string, string> {
  const mark = `${content[0]} ${content[1]}`;
  const encoding = { '255 254': 'utf-16le', '254 255': 'utf-16be' }[mark] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(content);
    return text.includes('\0') ? fail('has NUL characters. Save it as UTF-8.') : ok(text);
  } catch {
    return fail('is neither UTF-8 nor UTF-16. Save it as UTF-8.');
  }
}

function parseJson(text: string): Result<Record<string, string>, string> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    // The rest of the message would quote the file.
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    const where = position ? ` at line ${text.slice(0, Number(position)).split('\n').length}` : '';
    return fail(`is not valid JSON${where}.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return fail('must be a JSON object of texts.');
  }
  const other = Object.entries(content).find(([, value]) => typeof value !== 'string');
  if (other) {
    return fail(`must be a JSON object of texts, and ${other[0]} is none.`);
  }
  // Of two equal names JSON.parse drops the first.
  const names = [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)].flatMap(([, name = '', colon]) =>
    colon ? [String(JSON.parse(name))] : [],
  );
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? ok(content as Record<string, string>) : fail(`has ${twice} twice.`);
}

function parseLines(text: string): Result<Record<string, string>, string> {
  const values = new Map<string, string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const where = `line ${index + 1}`;
    const [, name, written = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (/^\s*(?:#|$)/.test(line)) {
      continue;
    }
    if (name === undefined) {
      return fail(`has no NAME=value in ${where}.`);
    }
    if (values.has(name)) {
      return fail(`has ${name} twice, again in ${where}.`);
    }
    const value = unquote(written);
    if (!value.ok) {
      return fail(`has a value in ${where} ${value.failure}`);
    }
    values.set(name, value.value);
  }
  return ok(Object.fromEntries(values));
}

/** Returns a value without its quotes, and without a comment after them. */
function unquote(written: string): Result<string, string> {
  const quoted = /^'([^']*)'(?:\s+#.*)?$|^"([^"]*)"(?:\s+#.*)?$/.exec(written);
  const inside = quoted?.[1] ?? quoted?.[2];
  if (inside !== undefined) {
    return quoted?.[2]?.includes('\\')
      ? fail('with a \\ between double quotes. Use single quotes.')
      : ok(inside);
  }
  // Some programs take # as the beginning of a comment, and others only after a blank.
  return /(?:^|\s)#|['"`\\]/.test(written)
    ? fail('that needs quotes around all of it, since it has a quote, a \\, or a # after a blank.')
    : ok(written);
}
