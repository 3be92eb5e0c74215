import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isActionAllowed } from '#shared/domain/access.ts';
import { REPORT_KINDS, REPORTS, REQUIRED_REPORT_ACTIONS } from '#shared/domain/reports/kinds.ts';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
import styles from './reports.module.css';

/** Links to often used reports, each with its period. Hidden from limited users, who see no costs. */
const OFTEN_ASKED = [
  ['Laadkosten van gisteren', '/rapporten/dagstaten?periode=gisteren'],
  ['Laadkosten van deze maand', '/rapporten/dagstaten?periode=deze-maand'],
  ['Draaiuren van vorige maand', '/rapporten/draaiuren?periode=vorige-maand'],
] as const;

/** Page '/rapporten' (14.3): the list of reports. */
export function ReportsPage(): ReactNode {
  const user = useUser();
  const kinds = REPORT_KINDS.filter((kind) => {
    const needs = REQUIRED_REPORT_ACTIONS[kind];
    return needs === undefined || isActionAllowed(user, needs);
  });
  return (
    <Page title="Rapporten" back="/">
      {!user.isLimited && (
        <ul className="cluster gap-2-6 stretch mb-3" aria-label="Vaak gevraagd">
          {OFTEN_ASKED.map(([text, to]) => (
            <li key={to}>
              <Link className="row gap-0 touch" to={to}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <ul className="cards mb-6">
        {kinds.map((kind) => (
          <li key={kind}>
            <Link to={`/rapporten/${kind}`} className={styles.kind}>
              <h2 className="mb-1 anchor large">{REPORTS[kind].title}</h2>
              <p className="quiet">{REPORTS[kind].about}</p>
            </Link>
          </li>
        ))}
      </ul>
      {!user.isLimited && (
        <p className="my-4">
          <Link to="/rapporten/factoren">Factoren</Link>: waarmee rapporten CO2 en vermeden diesel uitrekenen.
        </p>
      )}
    </Page>
  );
}
