import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useVisitTracking } from '#web/lib/back-link.ts';
import { readQuery } from '#web/queries/read.ts';
import { Logo } from '#web/ui/logo.tsx';
import { Loading } from '#web/ui/screen.tsx';
import { Bell } from './bell.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { DailyLinks } from './daily-links.tsx';
import styles from './layout.module.css';
import { LimitBanner } from './limit-banner.tsx';
import { QuickMenu } from './quick-menu.tsx';
import { ReauthenticationPrompt } from './reauthentication-dialog.tsx';
import { SettingsMenu } from './settings-menu.tsx';

/** Layout of a page: the fixed header with the settings menu and the quick menu, and the page below it (APP-05). */
export function Layout() {
  const main = useRef<HTMLElement>(null);
  useFreshPage(main);
  useVisitTracking();
  return (
    <>
      <a href="#inhoud" className={`${styles.skip} filled rounded py-2 px-4 strong`}>
        Naar de inhoud
      </a>
      <header className={`${styles.header} row gap-0 between line-below`}>
        <SettingsMenu />
        <Link to="/" className="nav-link rigid" aria-label="Werkstroom, naar de kaart">
          <Logo />
        </Link>
        <DailyLinks />
        <div className="row gap-0 stretch">
          <Bell />
          <QuickMenu />
        </div>
      </header>
      <main id="inhoud" ref={main} tabIndex={-1} className={styles.main}>
        <ConnectionBanner />
        <LimitBanner />
        <BackgroundNote />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <ReauthenticationPrompt />
    </>
  );
}

/** Scrolls to the top and focuses the content when the page changes, so that a screen reader announces the change. */
function useFreshPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** Shows the progress of the server's long-running tasks, such as generating the demo's history. */
function BackgroundNote() {
  const tasks = useBackgroundTasks();
  return (
    <div className={styles.place} data-over-map>
      {tasks.map(({ name, done }) => (
        <div key={name} className={`${styles.note} raised row py-1 px-3 smaller`} data-background-note>
          {/* A screen reader announces the text once, because the changing figure is outside the status. */}
          <span role="status">{name} wordt aangevuld</span>
          <progress value={done} aria-label={name} />
          <span aria-hidden="true">{Math.floor(done * 100)} %</span>
        </div>
      ))}
    </div>
  );
}

const ASK_EVERY_MS = 10_000;

type BackgroundTask = { readonly name: string; readonly done: number };

/** Returns the long-running tasks on the server. Polls only while there are any; an error is not shown. */
function useBackgroundTasks(): readonly BackgroundTask[] {
  const { data } = useQuery({
    ...readQuery('GET /api/background-tasks'),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? ASK_EVERY_MS : false),
  });
  return data ?? [];
}
