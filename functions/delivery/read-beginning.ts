/** Reads the first bytes of an answer, however much there is of it. */

/**
 * Returns the text of at most so many bytes; what is not UTF-8 becomes U+FFFD. When the answer breaks off, as it does when
 * the signal of its request is aborted, it is what has come until then. Text that is cut loses its last word, which may be
 * part of a secret.
 */
export async function readBeginning(body: ReadableStream<Uint8Array> | null, bytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  let left = bytes;
  let isWhole = body === null;
  while (reader && left > 0) {
    const result = await reader.read().catch(() => undefined);
    isWhole = result?.done === true;
    if (!result?.value) {
      break;
    }
    text += decoder.decode(result.value.subarray(0, left), { stream: true });
    left -= result.value.length;
  }
  // The connection would stay until the signal is aborted.
  reader?.cancel().catch(() => {});
  return isWhole ? text + decoder.decode() : withoutLastWord(text);
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && /\S/.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}
