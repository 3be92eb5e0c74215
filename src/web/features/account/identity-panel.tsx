import type { ReactNode } from 'react';
import { ConfirmNote } from '#web/session/confirm-note.tsx';
import { useUser } from '#web/session/user.ts';
import { Panel } from '#web/ui/panel.tsx';
import styles from './account-page.module.css';

/** As whom somebody is signed in. */
export function IdentityPanel(): ReactNode {
  const { email, organizationName } = useUser();
  return (
    <Panel title="Wie je bent">
      <dl className={styles.facts}>
        <dt>E-mailadres</dt>
        <dd>{email}</dd>
        <dt>Organisatie</dt>
        <dd>{organizationName}</dd>
      </dl>
      <ConfirmNote />
    </Panel>
  );
}
