/** Hono, with its smallest router that takes a path as it is written: smaller ones serve `/quotes/` as `/quotes`. */
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import type { Env } from './env.ts';

export type Router = HonoBase<{ Bindings: Env }>;

export const newRouter = (): Router => new HonoBase({ router: new TrieRouter() });
