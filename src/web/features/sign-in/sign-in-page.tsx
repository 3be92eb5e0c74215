import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.css';
import { useState } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { Logo } from '#web/ui/logo.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RegisterForm } from './register-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-page.module.css';

type Mode = 'login' | 'register';

/** /signin (specification section 2): signing in and registering, with one e-mail address for both. */
export function SignInPage() {
  useDocumentTitle('Inloggen');
  const [mode, setMode] = useState<Mode>('login');
  const [email, setEmail] = useState('');
  const [note, setNote] = useState<string>();

  const turnTo = (value: string | null): void => {
    setMode(value as Mode);
    setNote(undefined);
  };
  const registered = (): void => {
    setMode('login');
    setNote('Je account is gemaakt. Log in met je nieuwe wachtwoord.');
  };

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.logo}>
          <Logo size="large" />
        </h1>
        <p className={styles.promise}>Jouw machines, waar ze ook staan.</p>
        <Tabs value={mode} onChange={turnTo} keepMounted={false}>
          <Tabs.List grow>
            <Tabs.Tab value="login">Inloggen</Tabs.Tab>
            <Tabs.Tab value="register">Registreren</Tabs.Tab>
          </Tabs.List>
          <div className={styles.note}>
            <Notice>{note}</Notice>
          </div>
          <Tabs.Panel value="login" className={styles.panel}>
            <SignInForm email={email} onEmail={setEmail} note={note} onNote={setNote} />
          </Tabs.Panel>
          <Tabs.Panel value="register" className={styles.panel}>
            <RegisterForm email={email} onEmail={setEmail} onRegistered={registered} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </main>
  );
}
