import { Suspense } from 'react';
import { Loading } from '#web/ui/screen.tsx';
import type { ChunkPage } from './chunk.ts';

/** A public page, without the protected wrapper and the header. */
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
