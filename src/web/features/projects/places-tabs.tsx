import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import styles from './places-tabs.module.css';

/** Links between the list of projects and the list of terreinen. */
export const PlacesTabs = (): ReactNode => (
  <nav className={`${styles.tabs} row stretch mb-4`} aria-label="Projecten en terreinen">
    <NavLink to="/projecten" end>
      Projecten
    </NavLink>
    <NavLink to="/projecten/terreinen">Terreinen</NavLink>
  </nav>
);
