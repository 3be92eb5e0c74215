import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefinitionBus } from '#shared/contract/definition.ts';
import { J1939_SCOPE_TEXTS, J1939_SCOPES, type J1939Scope } from '#shared/domain/j1939.ts';
import { failureText } from '#web/lib/api.ts';
import { FailureAlert } from '#web/ui/notice.tsx';
import { J1939Messages } from './j1939-messages.tsx';

/** Chooses which messages are J1939. With 'some', `messages` are the identifiers of the J1939 messages. */
export type ChooseJ1939 = (choice: J1939Scope, messages?: readonly string[]) => Promise<void>;

type J1939FieldProps = {
  readonly bus: number;
  readonly file: DefinitionBus;
  readonly onChoose: ChooseJ1939;
};

/** Field that chooses which messages of a bus are J1939, with a proposal if the DBC file looks like J1939. */
export function J1939Field({ bus, file, onChoose }: J1939FieldProps) {
  const { j1939, j1939Proposed, messages } = file;
  const [isPicking, setIsPicking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (choice: Parameters<ChooseJ1939>) => onChoose(...choice),
  });
  const choose = (choice: J1939Scope): void => {
    if (choice === 'some') setIsPicking(true);
    else mutate([choice]);
  };
  const chosen = messages.filter(({ isJ1939 }) => isJ1939).map(({ identifier }) => identifier);
  return (
    <div>
      <NativeSelect
        label="J1939"
        aria-label={`J1939 op CAN-bus ${bus}`}
        description="Herken berichten aan hun groep, welke prioriteit of afzender ze ook hebben"
        size="md"
        value={j1939}
        disabled={isPending}
        onChange={({ currentTarget }) => choose(currentTarget.value as J1939Scope)}
      >
        {J1939_SCOPES.map((choice) => (
          <option key={choice} value={choice}>
            {J1939_SCOPE_TEXTS[choice]}
          </option>
        ))}
      </NativeSelect>
      {j1939 === 'some' && (
        <Button variant="default" size="md" mt="xs" onClick={() => setIsPicking(true)}>
          {chosen.length === 1 ? '1 bericht' : `${chosen.length} berichten`} gekozen: wijzig
        </Button>
      )}
      {j1939Proposed !== null && (
        <div className="quiet small">
          <p>
            {j1939Proposed === 'dbc'
              ? 'Dit bestand zegt dat er J1939-berichten in staan.'
              : 'De meeste nummers zijn bekende J1939-groepen.'}{' '}
            Voorstel: {J1939_SCOPE_TEXTS[j1939Proposed]}.
          </p>
          <Button variant="default" size="md" onClick={() => choose(j1939Proposed)}>
            Neem over
          </Button>
        </div>
      )}
      {isPicking && (
        <J1939Messages
          bus={bus}
          file={file}
          chosen={chosen}
          onChoose={(identifiers) => {
            setIsPicking(false);
            mutate(['some', identifiers]);
          }}
          onClose={() => setIsPicking(false)}
        />
      )}
      <FailureAlert>
        {error ? failureText(error, 'De keuze is niet opgeslagen. Probeer het opnieuw.') : undefined}
      </FailureAlert>
    </div>
  );
}
