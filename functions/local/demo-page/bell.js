/** The customer's notifications, until they are dismissed. */
import { element } from './element.js';
import { showList } from './list.js';
import { announce } from './news.js';
import { followRows } from './rows.js';

/** Returns the rows. `say` shows why one could not be dismissed. */
export function startBell({ client }, list, say) {
  const dismiss = id => client.from('notifications').update({ dismissed: true }).eq('id', id).then(say);

  function make({ id, body }) {
    const button = element('button', {
      type: 'button',
      textContent: 'Dismiss',
      ariaLabel: `Dismiss: ${body}`,
    });
    button.addEventListener('click', () => dismiss(id));
    return element('li', {}, element('span', {}, body), button);
  }

  const notifications = followRows(
    () => client.from('notifications').select().order('id'),
    () => {
      const unread = [...notifications.rows.values()].filter(({ dismissed }) => !dismissed);
      const added = showList(
        list,
        unread.sort((a, b) => b.id - a.id),
        { make },
      );
      for (const { body } of added) {
        announce(`Notification: ${body}`);
      }
    },
  );
  return notifications;
}
