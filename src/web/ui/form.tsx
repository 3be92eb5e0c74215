import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from './busy-button.tsx';
import styles from './form.module.css';
import { type InputError, InputErrors, inputErrorsOf, inputErrorsText } from './input-errors.ts';
import { FailureAlert } from './notice.tsx';

type FormProps = {
  /** Text of the button. */
  readonly submit: string;
  /** Shown when the server gives no message. */
  readonly fallback: string;
  /** Returns why the form cannot be sent: a sentence, or the errors of its inputs. */
  readonly check?: (fields: FormData) => string | readonly InputError[] | undefined;
  /**
   * If true, only `check` validates the inputs. Otherwise the browser checks `required` and the like before `check`
   * runs.
   */
  readonly checksAll?: boolean;
  /** Maps a field of the call to the name of its input, for inputs whose name differs from the field. */
  readonly inputNames?: Readonly<Record<string, string | undefined>>;
  /** Sends the form. A rejection is shown, and the input stays. */
  readonly onSubmit: (fields: FormData) => Promise<unknown>;
  /** Adds 'Annuleren' for a form in a dialog; the buttons stay visible while the fields scroll. */
  readonly onCancel?: () => void;
  readonly children: ReactNode;
};

/**
 * A form of fields in one column, with its errors and its button. Ignores a second submit while one is in progress. The error
 * of a field disappears when the user types in it; the first field with an error gets the focus.
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
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [failedSubmits, setFailedSubmits] = useState(0);
  const underWay = useRef(false);
  const { mutate, isPending } = useMutation({ mutationFn: onSubmit });

  useEffect(() => {
    if (failedSubmits > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failedSubmits]);

  const showErrors = (wrong: string | readonly InputError[] | undefined): void => {
    setProblem(typeof wrong === 'string' ? wrong : undefined);
    setErrors(typeof wrong === 'object' ? wrong : []);
    if (typeof wrong === 'object') setFailedSubmits((count) => count + 1);
  };
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // Uses a ref to ignore a second Enter, because a state would change only with the next render, after that Enter.
    if (underWay.current) return;
    const fields = new FormData(event.currentTarget);
    const wrong = check?.(fields);
    const isWrong = wrong !== undefined && wrong.length > 0;
    showErrors(isWrong ? wrong : undefined);
    if (isWrong) return;
    underWay.current = true;
    mutate(fields, {
      onError: (error) => showErrors(inputErrorsOf(error, inputNames) ?? failureText(error, fallback)),
      onSettled: () => {
        underWay.current = false;
      },
    });
  };
  const onInput = ({ target }: FormEvent): void => {
    const { name, dataset } = target as HTMLInputElement;
    const typedIn = name || dataset.name;
    if (typedIn && errors.some((error) => error.name === typedIn))
      setErrors(errors.filter((error) => error.name !== typedIn));
  };

  return (
    <InputErrors value={errors}>
      <form
        ref={form}
        className={`${styles.form} stack gap-4`}
        onSubmit={send}
        onInput={onInput}
        noValidate={checksAll}
      >
        {children}
        <FailureAlert>{problem ?? inputErrorsText(errors)}</FailureAlert>
        <div className={onCancel && 'answers'}>
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
