import type { ReactNode } from 'react';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
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

/** Page '/account': the settings of the user's own account. */
export function AccountPage(): ReactNode {
  // Hides the settings of messages from an account whose e-mail address is not confirmed: the portal sends nothing to it.
  const receivesMessages = !useUser().mustConfirm;
  return (
    <Page title="Mijn account" back="/">
      <div className="panels">
        <IdentityPanel />
        <PasswordPanel />
        <FactorsPanel />
        <ProviderPanel />
        <SessionsPanel />
        {receivesMessages && (
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
