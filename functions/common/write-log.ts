/**
 * Writes a log entry as a line of JSON: `wrangler tail` prints it as one line, and Workers Logs extracts its fields
 * (https://developers.cloudflare.com/workers/best-practices/workers-best-practices/#enable-workers-logs-and-traces).
 */
export const writeLog = (entry: object): void => console.log(JSON.stringify(entry));
