import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { failureText } from '#web/lib/api.ts';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { PasswordForm } from '#web/session/password-form.tsx';
import { revalidateSession, signOut } from '#web/session/session.ts';
import { Logo } from '#web/ui/logo.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './sign-in-page.module.css';

/** Replaces every page for a user who signed in with a generated password. */
export function NewPasswordPage(): ReactNode {
  useDocumentTitle('Kies een nieuw wachtwoord');
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const leave = (): void =>
    void signOut(client).catch((error) => setFailure(failureText(error, 'Uitloggen is niet gelukt.')));
  return (
    <main className={`${styles.page} stack gap-0 top`}>
      <div className={`${styles.card} raised full`}>
        <p className={styles.logo}>
          <Logo size="large" />
        </p>
        <h1 className="mt-4 mb-3 larger balance">Kies een nieuw wachtwoord</h1>
        <div className="stack">
          <p className="quiet">
            Je bent ingelogd met een wachtwoord dat het portaal heeft gemaakt. Kies er zelf een om verder te
            gaan.
          </p>
          <PasswordForm onDone={() => revalidateSession(client)} />
          <FailureAlert>{failure}</FailureAlert>
          <Button variant="default" size="md" fullWidth onClick={leave}>
            Logout
          </Button>
        </div>
      </div>
    </main>
  );
}
