/** A roster as text: a file from a spreadsheet, or what was pasted. */
import Papa from 'papaparse';
import { withoutInvisible } from '../text.ts';

export interface Row {
  /** Where it begins in the text, from 1. */
  line: number;
  cells: string[];
}

/** Bytes or characters that a roster has at most: more is another file, and would stop the page. */
const most = 2_000_000;

/** Returns the text of a file and its encoding; undefined when it can't be a roster. */
export async function readFile(file: Blob): Promise<{ text: string; encoding: string } | undefined> {
  if (file.size > most) {
    return undefined;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes('\0') ? undefined : { text, encoding };
}

/** Excel writes UTF-16 as "Unicode Text", UTF-8 as "CSV UTF-8", and windows-1252 as "CSV". */
function encodingOf(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === '255 254' || mark === '254 255') {
    return mark === '255 254' ? 'UTF-16LE' : 'UTF-16BE';
  }
  try {
    new TextDecoder('UTF-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return 'UTF-8';
  } catch {
    return 'Windows-1252';
  }
}

/** Separators, in the order in which they are looked for. */
const separators = ['\t', ';', ',', '|', '،', '؛', '，', '；'];

/** Returns the rows that aren't empty. A quote without its end, or with more behind it, is a problem. */
export function readRows(typed: string): { rows: Row[]; problem?: string } {
  if (typed.length > most) {
    return { rows: [], problem: 'This is too long for a roster.' };
  }
  // Papa Parse expects one kind of line break in a text.
  const text = typed.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const [firstLine, declared] = /^sep=(.)(?:\n|$)/i.exec(text) ?? [];
  const delimiter = declared ?? guessSeparator(text);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  const quote = errors.find(({ type }) => type === 'Quotes');
  if (quote) {
    const line = text.slice(0, quote.index).split('\n').length;
    return { rows: [], problem: `Line ${line}: a quote (") has no end, or more text behind its end.` };
  }
  let line = 1;
  const rows = data.map(cells => {
    const row = { line, cells: cells.map(clean) };
    line += cells.join('').split('\n').length;
    return row;
  });
  return { rows: rows.slice(firstLine ? 1 : 0).filter(({ cells }) => cells.some(cell => cell !== '')) };
}

/** Returns a cell as a line of text. Spreadsheets are made to keep "00" by ="00" or '00. */
const clean = (cell: string): string =>
  withoutInvisible(cell)
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^['’](?=\d)/, '');

function guessSeparator(text: string): string {
  const { errors, meta } = Papa.parse(text, {
    ...{ delimitersToGuess: separators, newline: '\n', preview: 10, skipEmptyLines: 'greedy' },
  });
  const isGuessed = errors.every(({ type }) => type !== 'Delimiter');
  return isGuessed ? meta.delimiter : (separators.find(separator => text.includes(separator)) ?? ',');
}
