import { LOGGER_KIND_TEXTS, LOGGER_KINDS, type LoggerKind } from '#shared/domain/identifiers.ts';
import { FormSelect } from '#web/ui/form-input.tsx';

type NumberLook = {
  readonly word: string;
  readonly description: string;
  readonly inputMode: 'numeric' | 'text';
};

/** Texts and input mode of the field for a logger's number. */
export const LOGGER_NUMBER_FIELDS: Readonly<Record<LoggerKind, NumberLook>> = {
  rexgen: { word: 'Serienummer', description: '7 cijfers, op de logger', inputMode: 'numeric' },
  canedge: {
    word: 'Device ID',
    description: '8 tekens (0-9 en A-F), op de logger en in device.json',
    inputMode: 'text',
  },
};

type LoggerKindSelectProps = {
  readonly kind: LoggerKind;
  readonly onChange: (kind: LoggerKind) => void;
  readonly className?: string | undefined;
};

/** Select for the kind of logger. */
export const LoggerKindSelect = ({ kind, onChange, className }: LoggerKindSelectProps) => (
  <FormSelect
    {...(className !== undefined && { className })}
    label="Soort logger"
    name="logger_kind"
    value={kind}
    onChange={({ currentTarget }) => onChange(currentTarget.value as LoggerKind)}
  >
    {LOGGER_KINDS.map((one) => (
      <option key={one} value={one}>
        {LOGGER_KIND_TEXTS[one]}
      </option>
    ))}
  </FormSelect>
);
