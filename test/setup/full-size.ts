/** How often tests repeat what also depends on chance: a few times, and as often as promised with `FULL_SIZE=1`. */

const isFullSize = process.env['FULL_SIZE'] === '1';

/** Of each fault. */
export const rounds = isFullSize ? 20 : 3;
/** For the name of a test that repeats. */
export const eachTime = `${rounds} times`;
