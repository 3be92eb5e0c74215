import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from './busy-button.tsx';
import styles from './form.module.css';
import { type InputError, InputErrors, inputErrorsOf, inputErrorsText } from './input-errors.ts';
import { FailureAlert } from './notice.tsx';

type FormProps = {
  /** What the button says. */
  readonly submit: string;
  /** What is said when the server refuses without words. */
  readonly fallback: string;
  /**
   * What cannot be sent: a sentence, or all that is wrong with its fields. A form that gives the latter looks at every
   * field by itself; else the browser has checked `required` and the like before.
   */
  readonly check?: (fields: FormData) => string | readonly InputError[] | undefined;
  readonly checksAll?: boolean;
  /** Where the names of the inputs are other ones than those of the call: by those of the call. */
  readonly inputNames?: Readonly<Record<string, string | undefined>>;
  /** Sends. Its rejection is shown, and what was typed stays. */
  readonly onSubmit: (fields: FormData) => Promise<unknown>;
  /** In a dialog: 'Annuleren' stands beside the button, and both stay in sight while the fields scroll. */
  readonly onCancel?: () => void;
  readonly children: ReactNode;
};

/**
 * Fields below each other, what went wrong, and the button. While one submit is under way others do nothing. What is
 * wrong with a field stands below it until it is typed in, and the first of these has the focus.
 */
export function Form({
  submit,
  fallback,
  check,
  checksAll,
  inputNames,
  onSubmit,
  onCancel,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string>();
  const [faults, setFaults] = useState<readonly InputError[]>([]);
  const [told, setTold] = useState(0);
  const underWay = useRef(false);
  const { mutate, isPending } = useMutation({ mutationFn: onSubmit });

  useEffect(() => {
    if (told > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [told]);

  const tell = (wrong: string | readonly InputError[] | undefined): void => {
    setProblem(typeof wrong === 'string' ? wrong : undefined);
    setFaults(typeof wrong === 'object' ? wrong : []);
    if (typeof wrong === 'object') setTold((count) => count + 1);
  };
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // State is a render late for a second Enter.
    if (underWay.current) return;
    const fields = new FormData(event.currentTarget);
    const wrong = check?.(fields);
    const isWrong = wrong !== undefined && wrong.length > 0;
    tell(isWrong ? wrong : undefined);
    if (isWrong) return;
    underWay.current = true;
    mutate(fields, {
      onError: (error) => tell(inputErrorsOf(error, inputNames) ?? failureText(error, fallback)),
      onSettled: () => {
        underWay.current = false;
      },
    });
  };
  const onInput = ({ target }: FormEvent): void => {
    const { name, dataset } = target as HTMLInputElement;
    const typedIn = name || dataset.name;
    if (typedIn && faults.some((fault) => fault.name === typedIn))
      setFaults(faults.filter((fault) => fault.name !== typedIn));
  };

  return (
    <InputErrors value={faults}>
      <form ref={form} className={styles.form} onSubmit={send} onInput={onInput} noValidate={checksAll}>
        {children}
        <FailureAlert>{problem ?? inputErrorsText(faults)}</FailureAlert>
        <div className={onCancel && styles.answers}>
          <BusyButton type="submit" fullWidth={!onCancel} isBusy={isPending}>
            {submit}
          </BusyButton>
          {onCancel && (
            <Button variant="default" size="md" onClick={onCancel}>
              Annuleren
            </Button>
          )}
        </div>
      </form>
    </InputErrors>
  );
}
