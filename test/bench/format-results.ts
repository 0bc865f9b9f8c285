/** The text of results.json: figures of six digits, and what holds nothing but figures on one line. */
import type { Results } from './bench.ts';

export function formatResults(results: Results): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  const text = JSON.stringify(results, rounded, 1);
  return `${text.replace(/\{[^{}]*\}|\[[^[\]{}]*\]/g, innermost => innermost.replace(/\s+/g, ' '))}\n`;
}
