import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { may } from '#shared/domain/access.ts';
import { REPORT_KINDS, REPORT_NEEDS, REPORTS } from '#shared/domain/reports/kinds.ts';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
import styles from './reports.module.css';

/** /rapporten (14.3): which reports there are. */
export function ReportsPage(): ReactNode {
  const user = useUser();
  const kinds = REPORT_KINDS.filter((kind) => {
    const needs = REPORT_NEEDS[kind];
    return needs === undefined || may(user, needs);
  });
  return (
    <Page title="Rapporten" back="/">
      <ul className={styles.kinds}>
        {kinds.map((kind) => (
          <li key={kind}>
            <Link to={`/rapporten/${kind}`} className={styles.kind}>
              <h2>{REPORTS[kind].title}</h2>
              <p>{REPORTS[kind].about}</p>
            </Link>
          </li>
        ))}
      </ul>
      {!user.isLimited && (
        <p>
          <Link to="/rapporten/factoren">Factoren</Link>: waarmee rapporten CO2 en vermeden diesel uitrekenen.
        </p>
      )}
    </Page>
  );
}
