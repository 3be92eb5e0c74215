import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '#web/session/session.ts';
import { Loading } from '#web/ui/loading.tsx';
import { chunkPage } from './chunk.ts';
import { nextPath } from './sign-in-path.ts';

const signIn = chunkPage(
  'sign-in',
  async () => (await import('#web/features/sign-in/sign-in-page.tsx')).SignInPage,
);

/** /signin: who is signed in, or just did, goes on to the page first asked for (AUTH-02). */
export function SignInRoute() {
  const { state } = useLocation();
  if (useSession().state === 'authenticated') return <Navigate to={nextPath(state)} replace />;
  return (
    <Suspense
      fallback={
        <main>
          <Loading />
        </main>
      }
    >
      <signIn.Component />
    </Suspense>
  );
}
