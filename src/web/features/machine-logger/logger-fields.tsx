import type { LoggerKind } from '#shared/domain/identifiers.ts';
import type { NamedLogger } from '#web/machines/creation-chain.ts';
import { LOGGER_NUMBER_FIELDS, LoggerKindSelect } from '#web/machines/logger-kind.tsx';
import { FormInput } from '#web/ui/form-input.tsx';

/** Returns the label of a logger's number. @param which says which logger: 'van de logger' */
export const loggerNumberLabel = (kind: LoggerKind, which: string): string =>
  `${LOGGER_NUMBER_FIELDS[kind].word} ${which}`;

type LoggerFieldsProps = {
  readonly typed: NamedLogger;
  readonly onChange: (typed: NamedLogger) => void;
  /** Name of the input for the logger's number. */
  readonly name: string;
  readonly which: string;
  readonly isFirst?: boolean;
};

/** Fields for the kind and the number of a logger. */
export function LoggerFields({ typed, onChange, name, which, isFirst }: LoggerFieldsProps) {
  const { kind, serial } = typed;
  const { description, inputMode } = LOGGER_NUMBER_FIELDS[kind];
  return (
    <>
      <LoggerKindSelect kind={kind} onChange={(changed) => onChange({ ...typed, kind: changed })} />
      <FormInput
        label={loggerNumberLabel(kind, which)}
        name={name}
        description={description}
        required
        inputMode={inputMode}
        autoComplete="off"
        maxLength={16}
        {...(isFirst && { 'data-first': true })}
        value={serial}
        onChange={({ currentTarget }) => onChange({ ...typed, serial: currentTarget.value })}
      />
    </>
  );
}
