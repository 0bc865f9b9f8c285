/**
 * Whether a browser sends the request. It adds headers that a page can't remove: Sec-Fetch-Site over https, or Origin in
 * older browsers. Origin alone proves nothing, nor does a user agent of Mozilla, since servers may send either; Node's
 * fetch sends Sec-Fetch-Mode.
 */
export const isFromBrowser = (headers: Headers): boolean =>
  headers.has('sec-fetch-site') ||
  (headers.has('origin') && headers.get('user-agent')?.startsWith('Mozilla/') === true);
