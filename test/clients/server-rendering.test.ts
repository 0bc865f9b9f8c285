/** createClient on a server whose Node has no WebSocket, as Node 20: what functions/RECIPES.md says of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCommand } from '../local/program.ts';
import { root } from '../setup/files.ts';

const hasOption = process.versions.node < '22';

async function create(options: string, env: Record<string, string> = {}): Promise<string> {
  const script = `import { createClient } from '@supabase/supabase-js';
    import WebSocket from 'ws';
    createClient('http://127.0.0.1:1', 'key', ${options});
    console.log('created');`;
  const without = hasOption || env['NODE_OPTIONS'] ? [] : ['--no-experimental-websocket'];
  const command = [...without, '--input-type=module', '--eval', script];
  const { stdout, stderr } = await startCommand(process.execPath, command, { env }).ended;
  return stdout.trim() || (/Error: (.*)/.exec(stderr)?.[1] ?? stderr);
}

it('createClient throws on a server without WebSocket, and works with either remedy of the recipe', async () => {
  const recipes = await readFile(join(root, 'functions/RECIPES.md'), 'utf8');
  const paragraph = /A server that renders pages.*?\n\n/s.exec(recipes)?.[0] ?? '';
  const [, option = ''] = /`NODE_OPTIONS=(\S+)`/.exec(paragraph) ?? [];
  const [, transport = ''] = /`(realtime: [^`]+)`/.exec(paragraph) ?? [];
  expect(await create('{}')).toContain('WebSocket');
  expect(await create('{}', { NODE_OPTIONS: option })).toBe('created');
  expect(await create(`{ ${transport} }`)).toBe('created');
});
