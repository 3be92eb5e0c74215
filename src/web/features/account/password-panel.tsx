import { type ReactNode, useState } from 'react';
import { PasswordForm } from '#web/session/password-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Panel that changes the user's password (issue 13 item 3). */
export function PasswordPanel(): ReactNode {
  const [isChanged, setChanged] = useState(false);
  return (
    <Panel title="Wachtwoord">
      <Notice>
        {isChanged ? 'Je wachtwoord is gewijzigd. Op andere apparaten ben je uitgelogd.' : undefined}
      </Notice>
      <PasswordForm onDone={() => setChanged(true)} />
    </Panel>
  );
}
