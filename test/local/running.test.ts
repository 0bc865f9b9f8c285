/** How a developer's program ends, whatever happens meanwhile. */
import { expect, it } from 'vitest';
import { root } from '../setup/files.ts';
import { startCommand } from './program.ts';

/** Runs a program that has started something, which takes a moment to stop, and does `then`. */
function runProgramThat(then: string) {
  const program = `
    import { run, running } from './functions/local/running.ts';
    await run(async () => {
      running.push({ stop: () => new Promise(stopped => setTimeout(stopped, 50)) });
      running.push({ stop: () => console.log('stops what it started') });
      ${then}
      await new Promise(() => setInterval(() => {}, 1000));
    });`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  return startCommand(process.execPath, args, { directory: root }).ended;
}

it('an error of work that Ctrl-C has interrupted is not printed', async () => {
  const ending = await runProgramThat(`
    process.kill(process.pid, 'SIGINT');
    process.on('SIGINT', () => setImmediate(() => { throw new Error('The connection was closed.'); }));`);
  expect(ending).toMatchObject({ code: 0, stdout: 'stops what it started\nstopped\n', stderr: '' });
});

it('an error that nobody catches is printed, after everything was stopped', async () => {
  const ending = await runProgramThat(`setImmediate(() => { throw new Error('A bug.'); });`);
  expect(ending).toMatchObject({ code: 1, stdout: 'stops what it started\n' });
  expect(ending.stderr).toContain('Error: A bug.');
});
