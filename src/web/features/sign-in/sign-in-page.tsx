import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.css';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { Logo } from '#web/ui/logo.tsx';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-page.module.css';

/** /signin (specification section 2). Registration comes with the administration issue. */
export function SignInPage() {
  useDocumentTitle('Inloggen');
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.logo}>
          <Logo size="large" />
        </h1>
        <p className={styles.promise}>Uw machines, waar ze ook staan.</p>
        <Tabs defaultValue="login" keepMounted={false}>
          <Tabs.List grow>
            <Tabs.Tab value="login">Inloggen</Tabs.Tab>
            <Tabs.Tab value="register">Registreren</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="login" className={styles.panel}>
            <SignInForm />
          </Tabs.Panel>
          <Tabs.Panel value="register" className={styles.panel}>
            <p className={styles.note}>Registreren volgt nog. Vraag uw beheerder om een account.</p>
          </Tabs.Panel>
        </Tabs>
      </div>
    </main>
  );
}
