/**
 * Returns the keys of a setting that lists them: `PUBLISHABLE_KEY`, `SECRET_KEY`, `READ_KEY`. Several are valid at once while one replaces
 * another. The first is the one that is printed and that signs.
 */
export const keysOf = (setting = ''): string[] => setting.split(/[\s,]+/).filter(key => key !== '');
