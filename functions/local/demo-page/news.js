const log = document.getElementById('news');

/** Screen readers read what is added here. Nobody sees it: the page shows the same in its lists. */
export function announce(text) {
  log.append(Object.assign(document.createElement('p'), { textContent: text }));
  if (log.children.length > 20) {
    log.firstChild.remove();
  }
}
