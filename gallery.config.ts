import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type Connect, defineConfig } from 'vite';

/** A grey square with an edge, in the place of every map tile. */
const TILE = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><path fill="#d5dfe4" stroke="#b8c6ce" stroke-width="2" d="M0 0h256v256H0z"/></svg>`;

const serveTiles: Connect.SimpleHandleFunction = (_, response) => {
  response.setHeader('content-type', 'image/svg+xml').end(TILE);
};

/** `npm run gallery`, and the build that the browser tests open. The portal's own build (vite.config.ts) does not know the gallery. */
export default defineConfig({
  root: fileURLToPath(new URL('src/web/gallery', import.meta.url)),
  publicDir: false,
  plugins: [
    react(),
    {
      name: 'tiles',
      configureServer: ({ middlewares }) => void middlewares.use('/tiles/', serveTiles),
      configurePreviewServer: ({ middlewares }) => void middlewares.use('/tiles/', serveTiles),
    },
  ],
  build: {
    target: 'esnext',
    outDir: fileURLToPath(new URL('.gallery', import.meta.url)),
    emptyOutDir: true,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
