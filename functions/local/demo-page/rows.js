/**
 * The rows of a table by id, as they were read and changed since. `read` requests them all, and `render` is called when
 * they have changed. A change that is told while a read is running is applied to what was read.
 */
export function followRows(read, render) {
  const rows = new Map();
  let held;

  const apply = ({ eventType, new: row, old }) =>
    eventType === 'DELETE' ? rows.delete(old.id) : rows.set(row.id, row);

  async function reload() {
    const told = [];
    held = told;
    const { data } = await read();
    if (held !== told) {
      return; // A later read has begun.
    }
    if (!data) {
      setTimeout(reload, 1000);
      return;
    }
    rows.clear();
    for (const row of data) {
      rows.set(row.id, row);
    }
    told.forEach(apply);
    held = undefined;
    render();
  }

  return {
    rows,
    reload,
    onChange(change) {
      if (held) {
        held.push(change);
      } else {
        apply(change);
        render();
      }
    },
    /** Shows at once what a write of this page has returned. */
    keep(row) {
      rows.set(row.id, row);
      held?.push({ eventType: 'UPDATE', new: row });
      render();
    },
  };
}
