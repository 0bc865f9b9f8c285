/** The messages of an offer's page, each a transaction of its own. Their functions are in sql/code/offer-page.sql. */
import type { Caller } from '../caller/caller.ts';
import { type Message, message, sql } from '../database/sql.ts';
import { sessionStatement } from '../database/statements.ts';
import type { Answer } from './answer.ts';

/**
 * The row has `offer`: what the page shows, as JSON, or null without a live link. `opens`: a person opens the page. `read`: the number of
 * the offer that was read and answered in vain.
 */
export const offerMessage = (
  caller: Caller,
  link: string,
  language: string,
  opens: boolean,
  read: string | null,
): Message =>
  message(
    sessionStatement(caller),
    sql`select builder.offer_of(${link}, ${language}, ${opens}, ${read})::text as offer`,
  );

/** The row has `outcome`, in the words of builder.answer_offer. */
export const answerMessage = (
  caller: Caller,
  link: string,
  { status, offer, total, name, said, termsDigest }: Answer,
): Message =>
  message(
    sessionStatement(caller),
    sql`select builder.answer_offer(
      ${link}, ${status}, ${offer}, ${total}, ${name}, ${said || null}, ${termsDigest}
    ) as outcome`,
  );
