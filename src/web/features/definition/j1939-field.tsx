import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { J1939_CHOICES, J1939_WORDS, type J1939Choice } from '#shared/domain/j1939.ts';
import { failureText } from '#web/lib/api.ts';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './bus-panel.module.css';

type J1939FieldProps = {
  readonly bus: number;
  readonly file: DefinitionBus;
  readonly onChoose: (choice: J1939Choice) => Promise<void>;
};

/** Which messages of a bus are J1939; a file that looks like it gets a proposal. */
export function J1939Field({ bus, file: { j1939, j1939Proposed }, onChoose }: J1939FieldProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onChoose });
  return (
    <div>
      <NativeSelect
        label="J1939"
        aria-label={`J1939 op CAN-bus ${bus}`}
        description="Herken berichten aan hun groep, welke prioriteit of afzender ze ook hebben"
        size="md"
        value={j1939}
        disabled={isPending}
        onChange={({ currentTarget }) => mutate(currentTarget.value as J1939Choice)}
      >
        {J1939_CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {J1939_WORDS[choice]}
          </option>
        ))}
      </NativeSelect>
      {j1939Proposed !== null && (
        <div className={styles.hint}>
          <p>
            {j1939Proposed === 'dbc'
              ? 'Dit bestand zegt dat er J1939-berichten in staan.'
              : 'De meeste nummers zijn bekende J1939-groepen.'}{' '}
            Voorstel: {J1939_WORDS[j1939Proposed]}.
          </p>
          <Button variant="default" size="md" onClick={() => mutate(j1939Proposed)}>
            Neem over
          </Button>
        </div>
      )}
      <FailureAlert>
        {error ? failureText(error, 'De keuze is niet opgeslagen. Probeer het opnieuw.') : undefined}
      </FailureAlert>
    </div>
  );
}
