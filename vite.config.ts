import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web build; in development (`npm run dev`) calls go to the portal's own server on PORT. */
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    sourcemap: true,
    modulePreload: {
      // Chromium warns now and then that it does not use the preload of this chunk, which a service worker answered (vite-plugin-pwa issue 945).
      // The chunk has 0.4 kB; the first chunk that imports it loads it as early.
      resolveDependencies: (_, dependencies) =>
        dependencies.filter((path) => !path.includes('rolldown-runtime')),
    },
    rolldownOptions: {
      // How long plugins took says nothing about the result; every other warning stays.
      checks: { pluginTimings: false },
      // What most pages share comes as one file: smaller than its parts, and asked for once.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 25 }] } },
    },
  },
  server: {
    proxy: { '^/(api|tiles)/': `http://127.0.0.1:${process.env.PORT ?? 3000}` },
  },
});
