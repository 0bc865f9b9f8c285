/** How the page says what a quote has. */

/** `124.50 USD`, and further digits where the price has them. */
export const wordPrice = (price, currency) => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 20, useGrouping: false };
  return `${price.toLocaleString('en', digits)} ${currency}`;
};

export const wordPlayers = count =>
  count ? `${count} ${count === 1 ? 'player' : 'players'}` : 'no players yet';

/** `ordered, preparing` */
export const wordStatus = ({ status, fulfillment_status }) =>
  [status, fulfillment_status].filter(Boolean).join(', ');

/** What an error of the service says. */
export const wordError = ({ message, details }) => [message, details].filter(Boolean).join('. ');
