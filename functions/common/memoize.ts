/** Longer texts are rare, and would push out many short ones. */
const lengthLimit = 1024;
/**
 * What a text counts beside its characters, since a short one can have large answers: of `select=*` there is a list of
 * outputs, and their SQL, for every collection and kind of caller.
 */
const overhead = 256;
/** What the texts of one function count together: 30 to 60 of them, and a few megabytes of answers at most. */
const budget = 16_384;

/**
 * A pure function of a text that remembers its answers, those that were asked for last: the same `select` and `order`
 * come again and again. An answer is shared by all who ask, so nobody may change it.
 */
export function remembered<T>(compute: (text: string) => T, limit = budget): (text: string) => T {
  /** In the order they were asked for. */
  const answers = new Map<string, T>();
  let used = 0;
  return text => {
    const known = answers.get(text);
    if (known !== undefined) {
      answers.delete(text);
      answers.set(text, known);
      return known;
    }
    if (text.length > lengthLimit) {
      return compute(text);
    }
    const own = detached(text);
    const answer = compute(own);
    answers.set(own, answer);
    used += own.length + overhead;
    for (const oldest of answers.keys()) {
      if (used <= limit) {
        break;
      }
      answers.delete(oldest);
      used -= oldest.length + overhead;
    }
    return answer;
  };
}

/** A part of a text holds on to all of it, here the whole address of a request: this copy does not. */
const detached = (text: string): string => ` ${text}`.slice(1);

/**
 * The same for a pure function of an object that is itself remembered, and of things that `nameOf` tells apart (few,
 * and none of them a client's to choose). It forgets when the object is forgotten.
 */
export function rememberedBy<Key extends object, Rest extends unknown[], T>(
  compute: (key: Key, ...rest: Rest) => T,
  nameOf: (...rest: Rest) => string,
): (key: Key, ...rest: Rest) => T {
  const answers = new WeakMap<Key, Map<string, T>>();
  return (key, ...rest) => {
    let ofKey = answers.get(key);
    if (ofKey === undefined) {
      ofKey = new Map();
      answers.set(key, ofKey);
    }
    const name = nameOf(...rest);
    let answer = ofKey.get(name);
    if (answer === undefined) {
      answer = compute(key, ...rest);
      ofKey.set(name, answer);
    }
    return answer;
  };
}
