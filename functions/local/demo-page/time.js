import { element } from './element.js';

const isToday = date => date.toDateString() === new Date().toDateString();

/** The time of day, with the day unless it is today. */
export function showTime(iso) {
  const date = new Date(iso);
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const shown = date.toLocaleString('en', isToday(date) ? time : { ...time, day: 'numeric', month: 'short' });
  return element('time', { dateTime: iso }, shown);
}
