/** Reads the first bytes of an answer, however much there is of it. */

/**
 * Returns the text of at most so many bytes; what is not UTF-8 becomes U+FFFD. When the answer breaks off, or the signal
 * ends the waiting, it is what has come until then. Text that is cut loses its last word, which may be part of a secret.
 */
export async function readBeginning(
  body: ReadableStream<Uint8Array> | null,
  bytes: number,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  const ended = new Promise<undefined>(resolve => signal.addEventListener('abort', () => resolve(undefined)));
  let text = '';
  let left = bytes;
  let isWhole = body === null;
  while (reader && left > 0 && !signal.aborted) {
    const result = await Promise.race([reader.read().catch(() => undefined), ended]);
    isWhole = result?.done === true;
    if (!result?.value) {
      break;
    }
    text += decoder.decode(result.value.subarray(0, left), { stream: true });
    left -= result.value.length;
  }
  reader?.cancel().catch(() => {});
  return isWhole ? text + decoder.decode() : text.replace(/\S*$/, '');
}
