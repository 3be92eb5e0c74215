import { useState } from 'react';
import { NumberField } from '#web/ui/number-field.tsx';
import { type DraftRow, factorError, offsetError, SCALE_FACTOR_RULES } from './mapping-draft.ts';
import styles from './mapping-row.module.css';

type FactorFieldsProps = {
  readonly row: DraftRow;
  /** Name of the row, for a screen reader. */
  readonly of: string;
  /** Whether to show errors of fields that the user has not left yet. */
  readonly isChecked: boolean;
  readonly onChange: (change: Partial<DraftRow>) => void;
};

/** Fields for the factor and offset of a DBC signal. */
export function FactorFields({ row: { factor, offset }, of, isChecked, onChange }: FactorFieldsProps) {
  return (
    <div className={`${styles.numbers} halves`}>
      <DecimalField
        label="Factor"
        of={of}
        placeholder="1"
        value={factor}
        check={factorError}
        isChecked={isChecked}
        onChange={(value) => onChange({ factor: value })}
      />
      <DecimalField
        label="Offset"
        of={of}
        placeholder="0"
        value={offset}
        check={offsetError}
        isChecked={isChecked}
        onChange={(value) => onChange({ offset: value })}
      />
    </div>
  );
}

type DecimalFieldProps = {
  readonly label: 'Factor' | 'Offset';
  readonly of: string;
  readonly placeholder: string;
  readonly value: string;
  readonly check: (text: string) => string | undefined;
  readonly isChecked: boolean;
  readonly onChange: (value: string) => void;
};

/** Field for a number in Dutch notation. It shows its error once the user has left it. */
function DecimalField(props: DecimalFieldProps) {
  const { label, of, placeholder, value, check, isChecked, onChange } = props;
  const [wasLeft, setWasLeft] = useState(false);
  return (
    <NumberField
      className={styles.decimal}
      label={label}
      aria-label={`${label} voor ${of}`}
      placeholder={placeholder}
      rules={SCALE_FACTOR_RULES}
      inputMode="text"
      maxLength={30}
      value={value}
      error={wasLeft || isChecked ? check(value) : undefined}
      onBlur={() => setWasLeft(true)}
      onFocus={() => setWasLeft(false)}
      onChange={onChange}
    />
  );
}
