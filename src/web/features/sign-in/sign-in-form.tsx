import { Button, PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { signIn } from '#web/lib/session.ts';
import { failureText } from './failure-text.ts';
import styles from './sign-in-page.module.css';

/** Email and password. On success the session changes, and the route goes on by itself. */
export function SignInForm() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const underWay = useRef(false);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    // State is a render late for a second Enter.
    if (underWay.current) return;
    const form = new FormData(event.currentTarget);
    underWay.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn(client, String(form.get('email')).trim(), String(form.get('password')));
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextInput
        label="E-mailadres"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        maxLength={254}
        size="md"
      />
      <PasswordInput
        label="Wachtwoord"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        maxLength={1024}
        size="md"
        visibilityToggleButtonProps={{ 'aria-label': 'Wachtwoord tonen', tabIndex: 0 }}
      />
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        Inloggen
      </Button>
    </form>
  );
}
