/**
 * `npm run types:client > database.types.ts`, for front-ends elsewhere: prints their types as one file that imports nothing.
 * They are those of staff, who may use every column; `GET /rest/v1/` has each caller's own.
 */
import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { endWithReader } from '../../sql/output.ts';
import { described } from '../app/described.ts';
import { describeTypes } from '../rest/describe/describe-types.ts';

/** The file descriptor of the standard output. */
const stdout = 1;

/** Returns whether the output is a file that has the lines which npm prints before a program runs, and nothing else. */
function isFileWithBanner(): boolean {
  const { npm_package_name, npm_package_version, npm_lifecycle_event, npm_lifecycle_script } = process.env;
  const id = `${npm_package_name}@${npm_package_version}`;
  const banner = `\n> ${id} ${npm_lifecycle_event}\n> ${npm_lifecycle_script}\n\n`;
  const output = fstatSync(stdout);
  return output.isFile() && output.size === banner.length;
}

endWithReader();
const text = describeTypes(described, 'staff');
if (isFileWithBanner()) {
  ftruncateSync(stdout);
  writeSync(stdout, text, 0);
} else {
  process.stdout.write(text);
}
