/** New rows of the collections, with all required columns. */
import { randomUUID } from 'node:crypto';

export const aQuote = (account: string, more: object = {}) => ({
  account_id: account,
  quote_number: 'QT-2026-00001',
  product_id: randomUUID(),
  sport: 'baseball',
  customization: { team: 'Lions' },
  ...more,
});

export const aGraphic = (more: object = {}) => ({
  name: 'Lion',
  code: `LION-${randomUUID().slice(0, 8).toUpperCase()}`,
  file_url: 'https://cdn.test/library/lion.svg',
  file_format: 'svg',
  ...more,
});

export const aNotification = (account: string, more: object = {}) => ({
  account_id: account,
  body: 'Your quote is ready',
  dismissed: false,
  ...more,
});
