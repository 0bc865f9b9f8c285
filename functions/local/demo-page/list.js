/** The elements of each list that was shown, by the keys of their items. */
const shownIn = new WeakMap();

/**
 * Shows these items. An element whose key was shown before stays, and is changed by `update`, so that it keeps the focus,
 * and stays open. Returns the items that were not shown before; none at the first time.
 */
export function showList(list, items, { make, update = () => {}, keyOf = ({ id }) => id }) {
  const before = shownIn.get(list);
  const shown = new Map();
  for (const item of items) {
    const element = before?.get(keyOf(item)) ?? make(item);
    update(element, item);
    shown.set(keyOf(item), element);
  }
  shownIn.set(list, shown);
  keepFocus(list, () => place(list, [...shown.values()]));
  return before ? items.filter(item => !before.has(keyOf(item))) : [];
}

function place(list, elements) {
  for (const element of [...list.children].filter(child => !elements.includes(child))) {
    element.remove();
  }
  for (const [index, element] of elements.entries()) {
    if (list.children[index] !== element) {
      list.insertBefore(element, list.children[index] ?? null);
    }
  }
}

/** Calls `change`. Where it removes the focused element, the one that takes its place gets the focus, or else the list. */
export function keepFocus(list, change) {
  const focused = document.activeElement;
  const index = [...list.children].findIndex(child => child.contains(focused));
  change();
  if (index !== -1 && document.activeElement !== focused) {
    const next = list.children[Math.min(index, list.children.length - 1)];
    (list.contains(focused) ? focused : (next?.querySelector('button') ?? list)).focus();
  }
}
