/** The list of players in the builder. */
import { element } from './element.js';
import { keepFocus } from './list.js';

const sizes = ['S', 'M', 'L', 'XL'];

/** Returns the element of the new player. */
export function addPlayer(roster, name = '') {
  const number = roster.children.length + 1;
  const remove = element('button', { type: 'button', name: 'remove', textContent: '×' });
  const player = element(
    'li',
    {},
    element('input', { name: 'name', value: name, placeholder: 'Name', maxLength: 40 }),
    element('input', { name: 'number', type: 'number', value: number, min: 0, max: 99 }),
    element(
      'select',
      { name: 'size' },
      ...sizes.map(size => element('option', { selected: size === 'M' }, size)),
    ),
    remove,
  );
  remove.addEventListener('click', () => {
    keepFocus(roster, () => player.remove());
    nameFields(roster);
  });
  roster.append(player);
  nameFields(roster);
  return player;
}

/** Says of each field and button which player it is of. */
function nameFields(roster) {
  for (const [index, player] of [...roster.children].entries()) {
    for (const field of player.children) {
      const of =
        field.name === 'remove' ? 'Remove' : `${field.name[0].toUpperCase()}${field.name.slice(1)} of`;
      field.ariaLabel = `${of} player ${index + 1}`;
    }
  }
}

export const readRoster = roster =>
  [...roster.children].map(player => {
    const value = name => player.querySelector(`[name=${name}]`).value;
    return { name: value('name'), number: Number(value('number')), size: value('size') };
  });
