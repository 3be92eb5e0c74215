import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useUser } from '#web/session/user.ts';
import styles from './daily-links.module.css';
import { dailyPages } from './menu.ts';

/** Links to the pages that people use daily, in the header of wide screens; the settings menu has the same links. */
export function DailyLinks(): ReactNode {
  const user = useUser();
  return (
    <nav aria-label="Dagelijks" className={styles.links}>
      {dailyPages(user).map(({ label, to }) => (
        <NavLink key={to} to={to} className="nav-link nowrap" end={to === '/'}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
