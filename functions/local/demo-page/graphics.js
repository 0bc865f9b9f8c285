/** The library of graphics, of which the customer chooses one or none. */
import { element } from './element.js';

/** What is made for dark fabrics is shown on one. */
const tileOf = ({ tags }) => (tags?.includes('dark') ? 'tile dark' : 'tile');

const choice = ({ code, name, file_url, tags }) =>
  element(
    'label',
    { className: tileOf({ tags }), title: name },
    element('input', { type: 'radio', name: 'graphic', value: code }),
    element('img', { src: file_url, alt: name }),
  );

/** Adds them to the choices, of which the page has the one of none. Returns them by their codes, when they are read. */
export function startGraphics({ client }, choices) {
  const graphics = new Map();
  const read = client.from('graphics').select('code,name,file_url,tags').order('sort_order');
  read.then(({ data }) => {
    for (const graphic of data ?? []) {
      graphics.set(graphic.code, graphic);
      choices.append(choice(graphic));
    }
  });
  return graphics;
}
