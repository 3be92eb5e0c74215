import { Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { ConnectionBanner } from '#web/ui/connection-banner.tsx';
import { Loading } from '#web/ui/loading.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { BackgroundNote } from './background-note.tsx';
import styles from './layout.module.css';
import { QuickMenu } from './quick-menu.tsx';
import { SettingsMenu } from './settings-menu.tsx';

/** The fixed header with its two menus around the page (APP-05). */
export function Layout() {
  const main = useRef<HTMLElement>(null);
  useFreshPage(main);
  return (
    <>
      <a href="#inhoud" className={styles.skip}>
        Naar de inhoud
      </a>
      <header className={styles.header}>
        <SettingsMenu />
        <Link to="/" className={styles.home} aria-label="Werkstroom, naar de kaart">
          <Logo />
        </Link>
        <QuickMenu />
      </header>
      <main id="inhoud" ref={main} tabIndex={-1} className={styles.main}>
        <ConnectionBanner />
        <BackgroundNote />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
    </>
  );
}

/** A new page begins at its top, and with the focus in it: a screen reader hears that something happened. */
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
