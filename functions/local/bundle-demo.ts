/** Bundles the page `/demo`: React, supabase-js, Papa Parse and the page's own files become a script and a stylesheet. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { emptyDirectory } from './data-directory.ts';
import { Problem } from './program.ts';
import { root } from './settings.ts';

const source = join(root, 'functions/demo');
const entries = ['main.tsx', 'main.css'];

/**
 * Leaves out the parts of supabase-js for which this service has no endpoints: a third of the page. What
 * supabase-js extends and constructs is an empty class.
 */
const withoutUnusedParts: Plugin = {
  name: 'without unused parts of supabase-js',
  setup({ onResolve, onLoad }) {
    const namespace = 'unused';
    onResolve({ filter: /^@supabase\/(auth|functions|storage)-js$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /./, namespace }, () => ({
      contents: 'exports.AuthClient = exports.StorageClient = class {};',
    }));
  },
};

/**
 * Writes the page and its files into a directory, and returns the directory. The files' names contain hashes of what is in
 * them, so browsers may keep them. Throws a Problem that says where the source is wrong.
 */
export async function bundleDemo(directory: string): Promise<string> {
  await emptyDirectory(directory);
  const names = await bundle(directory);
  const page = await readFile(join(source, 'index.html'), 'utf8');
  await writeFile(
    join(directory, 'index.html'),
    entries.reduce((text, entry) => text.replace(`"${entry}"`, `"/demo/${names[entry]}"`), page),
  );
  return directory;
}

/** Returns the names of the bundled files, by the names of their sources. */
async function bundle(directory: string): Promise<Record<string, string>> {
  try {
    const { metafile } = await build({
      entryPoints: entries.map(name => join(source, name)),
      entryNames: '[name]-[hash]',
      outdir: directory,
      bundle: true,
      minify: true,
      sourcemap: true,
      metafile: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      plugins: [withoutUnusedParts],
      absWorkingDir: root,
      logLevel: 'silent',
    });
    const outputs = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint);
    return Object.fromEntries(
      outputs.map(([path, { entryPoint = '' }]) => [basename(entryPoint), basename(path)]),
    );
  } catch (error) {
    throw new Problem(`The page /demo could not be bundled.\n${(error as Error).message}`);
  }
}
