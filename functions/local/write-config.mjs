// @ts-check
/**
 * For lean-workerd.sh: reads the configuration of miniflare from stdin, adapts it, writes it to the file named in its
 * argument, and prints the path of workerd.
 */
import { writeFile } from 'node:fs/promises';
import { arrayBuffer } from 'node:stream/consumers';
import { adaptConfig, findWorkerd } from './adapt-config.mjs';

const [, , file = ''] = process.argv;
await writeFile(file, adaptConfig(await arrayBuffer(process.stdin)));
console.log(findWorkerd());
