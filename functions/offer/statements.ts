/** The messages of an offer's page, each a transaction of its own. Their functions are in sql/code/offer-page.sql. */
import type { Caller } from '../caller/caller.ts';
import { type Message, message, sql } from '../database/sql.ts';
import { sessionStatement } from '../database/statements.ts';
import type { Answer } from './answer.ts';

/** The row has `offer`: what the page shows, as JSON, or null without a live link. `opens`: a person opens the page. */
export const offerMessage = (caller: Caller, link: string, language: string, opens: boolean): Message =>
  message(
    sessionStatement(caller),
    sql`select builder.offer_of(${link}, ${language}, ${opens})::text as offer`,
  );

/** The row has `outcome`, in the words of builder.answer_offer. */
export const answerMessage = (
  caller: Caller,
  link: string,
  { status, offer, total, name, said }: Answer,
): Message =>
  message(
    sessionStatement(caller),
    sql`select builder.answer_offer(${link}, ${status}, ${offer}, ${total}, ${name}, ${said || null}) as outcome`,
  );
