/** The key of each element that was shown. */
const keys = new WeakMap();

/**
 * Shows these items. An element whose key was shown before stays as it is, so that it keeps the focus, stays open, and is not
 * read aloud again.
 */
export function showList(list, items, render, keyOf = JSON.stringify) {
  const before = new Map([...list.children].map(shown => [keys.get(shown), shown]));
  const shown = items.map(item => {
    const key = keyOf(item);
    const element = before.get(key) ?? render(item);
    keys.set(element, key);
    return element;
  });
  for (const element of list.querySelectorAll(':scope > *')) {
    if (!shown.includes(element)) {
      element.remove();
    }
  }
  for (const [index, element] of shown.entries()) {
    if (list.children[index] !== element) {
      list.insertBefore(element, list.children[index] ?? null);
    }
  }
}
