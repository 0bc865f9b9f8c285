/** Returns a new element with these properties and children. */
export const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** Shows a text. The same one is left as it is, since screen readers would read it again. */
export function setText(shown, text) {
  if (shown.textContent !== text) {
    shown.textContent = text;
  }
}
