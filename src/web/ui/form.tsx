import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from './busy-button.tsx';
import styles from './form.module.css';
import { FailureAlert } from './notice.tsx';

type FormProps = {
  /** What the button says. */
  readonly submit: string;
  /** What is said when the server refuses without words. */
  readonly fallback: string;
  /** A sentence about what cannot be sent, or undefined. The browser has checked `required` and the like before. */
  readonly check?: (fields: FormData) => string | undefined;
  /** Sends. Its rejection is shown, and what was typed stays. */
  readonly onSubmit: (fields: FormData) => Promise<unknown>;
  readonly children: ReactNode;
};

/** Fields below each other, what went wrong, and the button. While one submit is under way others do nothing. */
export function Form({ submit, fallback, check, onSubmit, children }: FormProps) {
  const [problem, setProblem] = useState<string>();
  const underWay = useRef(false);
  const { mutate, reset, isPending, error } = useMutation({ mutationFn: onSubmit });

  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // State is a render late for a second Enter.
    if (underWay.current) return;
    const fields = new FormData(event.currentTarget);
    const wrong = check?.(fields);
    setProblem(wrong);
    if (wrong !== undefined) {
      reset();
      return;
    }
    underWay.current = true;
    mutate(fields, {
      onSettled: () => {
        underWay.current = false;
      },
    });
  };

  return (
    <form className={styles.form} onSubmit={send}>
      {children}
      <FailureAlert>{problem ?? (error ? failureText(error, fallback) : undefined)}</FailureAlert>
      <BusyButton type="submit" fullWidth isBusy={isPending}>
        {submit}
      </BusyButton>
    </form>
  );
}
