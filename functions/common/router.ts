/** Hono, with the router that fits a dozen fixed paths: it is small, and takes a path as it is written. */
import { HonoBase } from 'hono/hono-base';
import { LinearRouter } from 'hono/router/linear-router';
import type { Env } from './env.ts';

export type Router = HonoBase<{ Bindings: Env }>;

export const newRouter = (): Router => new HonoBase({ router: new LinearRouter() });
