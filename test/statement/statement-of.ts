import { messageOf } from '../../functions/statement/statement.ts';
import { graphics } from '../../schema/graphics.ts';
import { planOf, staff, type TestRequest } from '../plan/plan-of.ts';

export type PartialRequest = Partial<TestRequest>;

/** The whole message of a request, by default a read of graphics by staff. */
export function message(request: PartialRequest): string {
  const plan = planOf({ as: staff, of: graphics, ...request });
  if (!plan.ok) throw new Error(`refused: ${JSON.stringify(plan.failure)}`);
  return messageOf(plan.value).text;
}

/** The message without its first statement, the session's. */
export const statement = (request: PartialRequest): string =>
  message(request).replace(/^select where set_config[^;]*;\n/, '');
