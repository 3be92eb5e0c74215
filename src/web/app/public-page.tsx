import { Suspense } from 'react';
import { Loading } from '#web/ui/screen.tsx';
import type { ChunkPage } from './chunk.ts';

/** A page that users see without being signed in, and that has no header. */
export function PublicPage({ page }: { readonly page: ChunkPage }) {
  return (
    <Suspense
      fallback={
        <main>
          <Loading />
        </main>
      }
    >
      <page.Component />
    </Suspense>
  );
}
