/** Bundles the page `/demo` into a script and a stylesheet. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { Problem } from './problem.ts';
import { root } from './settings.ts';

/** Writes `demo.js` and `demo.css` into a directory. Throws a Problem that says where the source is wrong. */
export async function bundleDemo(directory: string): Promise<void> {
  try {
    await build({
      entryPoints: { demo: join(root, 'functions/local/demo/main.tsx') },
      outdir: directory,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    });
  } catch (error) {
    throw new Problem(`The page /demo could not be bundled.\n${(error as Error).message}`);
  }
}
