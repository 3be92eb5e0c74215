import './theme.css';
import './words.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { watchPreloads } from './app/chunk.ts';
import { routes } from './app/routes.tsx';
import { holdVersionLock, listenToNotices } from './app/service-worker.ts';
import { createQueryClient } from './lib/query-client.ts';
import { isFailing } from './live/live-poll.ts';
import { applySessionChange, listenToOtherTabs, prefetchSession } from './session/session.ts';
import { theme } from './theme.ts';

const client = createQueryClient(isFailing);
prefetchSession(client);
listenToOtherTabs((change) => applySessionChange(client, change));
watchPreloads();
holdVersionLock(import.meta.url);
const router = createBrowserRouter(routes);
listenToNotices((path) => void router.navigate(path));

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
