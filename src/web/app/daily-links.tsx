import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useUser } from '#web/session/user.ts';
import styles from './daily-links.module.css';
import { dailyPages } from './settings-pages.ts';

/** The pages that are used daily, in the header of a desk; the menu has them too. */
export function DailyLinks(): ReactNode {
  const user = useUser();
  return (
    <nav aria-label="Dagelijks" className={styles.links}>
      {dailyPages(user).map(({ label, to }) => (
        <NavLink key={to} to={to} end={to === '/'}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
