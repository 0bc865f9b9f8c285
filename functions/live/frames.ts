/**
 * The messages of Phoenix's channels, in both versions of Supabase's protocol: objects in 1.0.0, arrays in 2.0.0
 * (supabase.com/docs/guides/realtime/protocol).
 */
import * as v from 'valibot';
import { limits } from '../common/limits.ts';

export type Version = '1.0.0' | '2.0.0';

export interface Frame {
  /** The reference of the join that the message belongs to. */
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

const { topic: topicLength, ref: refLength } = limits.live;
const ref = v.nullish(v.pipe(v.string(), v.maxLength(refLength)), null);
const topic = v.pipe(v.string(), v.maxLength(topicLength));
const event = v.pipe(v.string(), v.maxLength(topicLength));

const objectFrame = v.pipe(
  v.object({ join_ref: ref, ref, topic, event, payload: v.unknown() }),
  v.transform(({ join_ref, ...frame }): Frame => ({ joinRef: join_ref, ...frame })),
);
const arrayFrame = v.pipe(
  v.tuple([ref, ref, topic, event, v.unknown()]),
  v.transform(([joinRef, ref, topic, event, payload]): Frame => ({ joinRef, ref, topic, event, payload })),
);

/** Parses a message; undefined when the text is none of the version. */
export function parseFrame(text: string, version: Version): Frame | undefined {
  try {
    const frame = v.safeParse(version === '2.0.0' ? arrayFrame : objectFrame, JSON.parse(text));
    return frame.success ? frame.output : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the text of a message to a client; the payload is JSON already. */
export function frameText(frame: Omit<Frame, 'payload'>, payload: string, version: Version): string {
  const { joinRef, ref, topic, event } = frame;
  return version === '2.0.0'
    ? `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${payload}]`
    : `${JSON.stringify({ topic, event, ref, join_ref: joinRef }).slice(0, -1)},"payload":${payload}}`;
}
