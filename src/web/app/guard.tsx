import { Button } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useMatches } from 'react-router';
import { useLivePolling } from '#web/live/live.ts';
import { useSession } from '#web/session/session.ts';
import { UserContext } from '#web/session/user.ts';
import { Loading, Screen } from '#web/ui/screen.tsx';
import { chunkPage } from './chunk.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { askedFor, SIGN_IN_PATH } from './sign-in-route.tsx';

const newPassword = chunkPage(
  'new-password',
  async () => (await import('#web/features/sign-in/new-password-page.tsx')).NewPasswordPage,
);

/** The protected wrapper (APP-01, APP-02): nothing inside it is drawn, or loaded, too early. */
export function Guard() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'loading':
      return <LoadingScreen />;
    case 'unreachable':
      return (
        <main>
          <Unreachable retry={session.retry} />
        </main>
      );
    case 'anonymous':
      return <Navigate to={SIGN_IN_PATH} replace state={session.signedOut ? null : askedFor(location)} />;
    case 'authenticated':
      return (
        <UserContext value={session.user}>
          {session.user.mustChangePassword ? <ChooseFirst /> : <LiveOutlet />}
        </UserContext>
      );
  }
}

/** Whose password was made up for them. */
const ChooseFirst = () => (
  <Suspense fallback={<LoadingScreen />}>
    <newPassword.Component />
  </Suspense>
);

/** The page, as soon as there is live data, stored data included. */
function LiveOutlet() {
  const hasData = useLivePolling();
  usePreloadedChunks();
  if (!hasData) {
    return (
      <main>
        <ConnectionBanner />
        <Loading />
      </main>
    );
  }
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Outlet />
    </Suspense>
  );
}

const LoadingScreen = () => (
  <main>
    <Loading />
  </main>
);

/** Fetches the chunks of the whole page at once, not the inner one after the outer one. */
function usePreloadedChunks(): void {
  const matches = useMatches();
  useEffect(() => {
    for (const { handle } of matches) {
      (handle as { readonly preload?: () => void } | undefined)?.preload?.();
    }
  }, [matches]);
}

/** The portal does not answer, and there is a session: wait for it. The session query tries again by itself. */
function Unreachable({ retry }: { readonly retry: () => void }) {
  return (
    <Screen title="Geen verbinding met het portaal">
      <p role="status">We proberen het elke paar seconden opnieuw. Je blijft ingelogd.</p>
      <Button size="md" onClick={retry}>
        Opnieuw proberen
      </Button>
    </Screen>
  );
}
