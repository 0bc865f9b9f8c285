import { defineConfig } from 'vite';

export default defineConfig({
  // schema/database.ts is outside of the app; one with a database.types.ts of its own needs no setting.
  server: { fs: { allow: ['../../..'] } },
});
