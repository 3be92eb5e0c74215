import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web build; in development (`npm run dev`) calls go to the portal's own server on PORT. */
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    sourcemap: true,
    // How long plugins took says nothing about the result; every other warning stays.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    proxy: { '^/(api|tiles)/': `http://127.0.0.1:${process.env.PORT ?? 3000}` },
  },
});
