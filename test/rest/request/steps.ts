/**
 * Counts the work of a parser by its calls on texts: each character code, each character that a search or a regular
 * expression passes, and the length of texts that a method reads whole. Unlike a clock, it is exact on a busy machine.
 */
type Method = (this: { length: number }, ...args: unknown[]) => unknown;

/** The cost of a call, from its object, its arguments and its result. */
type Cost = (on: { length: number }, args: unknown[], result: unknown) => number;

const one: Cost = () => 1;
const whole: Cost = text => 1 + text.length;
const passed: Cost = (text, [, from = 0], found) =>
  1 + (Number(found) < 0 ? text.length : Number(found)) - Number(from);
const matched: Cost = (_, __, found) => 1 + ((found as RegExpExecArray | null)?.[0].length ?? 0);

const parsed: Cost = (_, [text]) => 1 + String(text).length;

const counted: [prototype: object, method: string, cost: Cost][] = [
  [String.prototype, 'charCodeAt', one],
  [String.prototype, 'codePointAt', one],
  [String.prototype, 'startsWith', one],
  [String.prototype, 'indexOf', passed],
  [String.prototype, 'includes', whole],
  [String.prototype, 'split', whole],
  [String.prototype, 'replaceAll', whole],
  [String.prototype, 'trim', whole],
  [RegExp.prototype, 'exec', matched],
  [JSON, 'parse', parsed],
];

export function stepsOf(run: () => unknown): number {
  let steps = 0;
  const originals = counted.map(([prototype, name, cost]) => {
    const method = Reflect.get(prototype, name) as Method;
    Reflect.set(prototype, name, function (this: { length: number }, ...args: unknown[]) {
      const result = method.apply(this, args);
      steps += cost(this, args, result);
      return result;
    });
    return { prototype, name, method };
  });
  try {
    run();
  } finally {
    for (const { prototype, name, method } of originals) {
      Reflect.set(prototype, name, method);
    }
  }
  return steps;
}
