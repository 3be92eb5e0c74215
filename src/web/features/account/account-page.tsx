import type { ReactNode } from 'react';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
import styles from './account-page.module.css';
import { AlertPreferencesPanel } from './alert-preferences-panel.tsx';
import { FactorsPanel } from './factors-panel.tsx';
import { IdentityPanel } from './identity-panel.tsx';
import { MyDataPanel } from './my-data-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';
import { PushPanel } from './push-panel.tsx';
import { ReportMailsPanel } from './report-mails-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SubscriptionsPanel } from './subscriptions-panel.tsx';

/** /account: what somebody can do about their own account. A panel is a file of its own. */
export function AccountPage(): ReactNode {
  // The portal sends nothing to an address that is not confirmed.
  const isSentTo = !useUser().mustConfirm;
  return (
    <Page title="Mijn account" back="/">
      <div className={styles.panels}>
        <IdentityPanel />
        <PasswordPanel />
        <FactorsPanel />
        <ProviderPanel />
        <SessionsPanel />
        {isSentTo && (
          <>
            <AlertPreferencesPanel />
            <PushPanel />
            <SubscriptionsPanel />
            <ReportMailsPanel />
          </>
        )}
        <MyDataPanel />
      </div>
    </Page>
  );
}
