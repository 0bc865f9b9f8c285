/** Longer texts are rare, and would fill the memory. */
const lengthLimit = 2048;

/**
 * A pure function of a text that remembers its last answers: the same `select` and `order` come again and again. An
 * answer is shared by all who ask, so nobody may change it.
 */
export function remembered<T>(compute: (text: string) => T, limit = 500): (text: string) => T {
  const answers = new Map<string, T>();
  return text => {
    const known = answers.get(text);
    if (known !== undefined) {
      return known;
    }
    const answer = compute(text);
    if (text.length <= lengthLimit) {
      if (answers.size >= limit) {
        answers.clear();
      }
      answers.set(text, answer);
    }
    return answer;
  };
}

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
