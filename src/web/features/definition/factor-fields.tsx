import { useState } from 'react';
import { NumberField } from '#web/ui/number-field.tsx';
import { type DraftRow, FACTOR_RULES, factorFault, offsetFault } from './mapping-draft.ts';
import styles from './mapping-row.module.css';

type FactorFieldsProps = {
  readonly row: DraftRow;
  /** What they belong to, for a screen reader. */
  readonly of: string;
  /** Show a fault before its field was left. */
  readonly isChecked: boolean;
  readonly onChange: (change: Partial<DraftRow>) => void;
};

/** By what a DBC signal is multiplied, and what is added to it. */
export function FactorFields({ row: { factor, offset }, of, isChecked, onChange }: FactorFieldsProps) {
  return (
    <div className={styles.numbers}>
      <DecimalField
        label="Factor"
        of={of}
        placeholder="1"
        value={factor}
        fault={factorFault}
        isChecked={isChecked}
        onChange={(value) => onChange({ factor: value })}
      />
      <DecimalField
        label="Offset"
        of={of}
        placeholder="0"
        value={offset}
        fault={offsetFault}
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
  readonly fault: (text: string) => string | undefined;
  readonly isChecked: boolean;
  readonly onChange: (value: string) => void;
};

/** A number as a Dutch person types it. What is wrong with it is said once the field was left. */
function DecimalField(props: DecimalFieldProps) {
  const { label, of, placeholder, value, fault, isChecked, onChange } = props;
  const [wasLeft, setWasLeft] = useState(false);
  return (
    <NumberField
      className={styles.decimal!}
      label={label}
      aria-label={`${label} voor ${of}`}
      placeholder={placeholder}
      rules={FACTOR_RULES}
      inputMode="text"
      maxLength={30}
      value={value}
      error={wasLeft || isChecked ? fault(value) : undefined}
      onBlur={() => setWasLeft(true)}
      onFocus={() => setWasLeft(false)}
      onChange={onChange}
    />
  );
}
