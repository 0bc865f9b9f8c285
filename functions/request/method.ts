/** The methods of requests to a collection. */
import type { Method } from './request.ts';

export const isMethod = (method: string): method is Method =>
  /^(?:GET|HEAD|POST|PATCH|PUT|DELETE)$/.test(method);

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Whether requests of the method have a body; that of any other is ignored. */
export const takesBody = (method: Method): boolean =>
  method === 'POST' || method === 'PATCH' || method === 'PUT';
