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
