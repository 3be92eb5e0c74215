import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useMatch, useMatches } from 'react-router';
import { useLivePolling } from '#web/live/live.ts';
import { resumePush } from '#web/session/push-device.ts';
import { revalidateSession, useSession } from '#web/session/session.ts';
import { UserContext, useUser } from '#web/session/user.ts';
import { Loading } from '#web/ui/screen.tsx';
import { loadChunk } from './chunk.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { registerServiceWorkerSoon } from './service-worker.ts';
import { requestedPageState, SIGN_IN_PATH } from './sign-in-route.tsx';
import { UnreachablePage } from './unreachable-page.tsx';

/** The protected wrapper (APP-01, APP-02): loads and renders its pages only for a signed-in user. */
export function SignInGuard() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'loading':
      return <LoadingScreen />;
    case 'unreachable':
      return (
        <main>
          <UnreachablePage error={session.error} retry={session.retry} />
        </main>
      );
    case 'anonymous':
      return (
        <Navigate to={SIGN_IN_PATH} replace state={session.signedOut ? null : requestedPageState(location)} />
      );
    case 'authenticated':
      return (
        <UserContext value={session.user}>
          <SignedIn />
        </UserContext>
      );
  }
}

/**
 * Shows the requested page. If the user must first choose a password, set up a second factor or confirm the e-mail
 * address, shows the page for that instead. The page for the second factor stays until the user has kept the recovery
 * codes, which are shown only once.
 */
function SignedIn() {
  const client = useQueryClient();
  const user = useUser();
  const lacksFactor = user.lacksFactor === true;
  const [isSettingUp, setSettingUp] = useState(lacksFactor);
  if (lacksFactor && !isSettingUp) setSettingUp(true);
  if (user.mustChangePassword) return <ChooseFirst />;
  if (!isSettingUp) return user.mustConfirm ? <ConfirmFirst /> : <LiveOutlet />;
  const done = async (): Promise<void> => {
    await revalidateSession(client);
    setSettingUp(false);
  };
  return (
    <Suspense fallback={<LoadingScreen />}>
      <SetUpFactor onDone={() => void done()} />
      <ReauthenticationPrompt />
    </Suspense>
  );
}

const SetUpFactor = lazy(() =>
  loadChunk('set-up-factor', async () => ({
    default: (await import('#web/features/account/set-up-factor-page.tsx')).SetUpFactorPage,
  })),
);

/**
 * Prompt for re-authentication on the pages that are shown instead of the requested page. Other pages have the prompt
 * of the layout, which is not loaded while the user must still set up a second factor or confirm an address.
 */
const ReauthenticationPrompt = lazy(() =>
  loadChunk('proof', async () => ({
    default: (await import('./reauthentication-dialog.tsx')).ReauthenticationPrompt,
  })),
);

/** Page on which users whose password was generated must choose another one. */
const ChooseFirst = () => (
  <Suspense fallback={<LoadingScreen />}>
    <NewPassword />
  </Suspense>
);

const NewPassword = lazy(() =>
  loadChunk('new-password', async () => ({
    default: (await import('#web/features/sign-in/new-password-page.tsx')).NewPasswordPage,
  })),
);

/**
 * Shown to users who registered by code and have not confirmed their e-mail address: '/account' as usual, and instead
 * of any other page a request to confirm.
 */
function ConfirmFirst() {
  const isAccount = useMatch('/account') !== null;
  return (
    <Suspense fallback={<LoadingScreen />}>
      {isAccount ? (
        <main>
          <Account />
          <ReauthenticationPrompt />
        </main>
      ) : (
        <ConfirmFirstPage />
      )}
    </Suspense>
  );
}

const ConfirmFirstPage = lazy(() =>
  loadChunk('confirm-first', async () => ({
    default: (await import('#web/features/sign-in/confirm-first-page.tsx')).ConfirmFirstPage,
  })),
);
const Account = lazy(() =>
  loadChunk('account', async () => ({
    default: (await import('#web/features/account/account-page.tsx')).AccountPage,
  })),
);

/** Shows the requested page as soon as there is live data, either new or stored in the browser. */
function LiveOutlet() {
  const hasData = useLivePolling();
  usePreloadedChunks();
  useEffect(registerServiceWorkerSoon, []);
  useResumedPush();
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

/** Resumes the user's web push in this browser. If that fails, the next page load tries again. */
function useResumedPush(): void {
  const { email } = useUser();
  useEffect(() => {
    const stop = new AbortController();
    resumePush(email, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [email]);
}

const LoadingScreen = () => (
  <main>
    <Loading />
  </main>
);

/** Fetches the chunks of nested routes in parallel. */
function usePreloadedChunks(): void {
  const matches = useMatches();
  useEffect(() => {
    for (const { handle } of matches) {
      (handle as { readonly preload?: () => void } | undefined)?.preload?.();
    }
  }, [matches]);
}
