import { memo, type ReactNode } from 'react';
import type { Label } from '#shared/contract/labels.ts';
import styles from './label-chips.module.css';
import { useLabels } from './labels.ts';

/** The name of a label in its colour. */
export const LabelChip = ({
  label: { labelName, labelColour },
}: {
  readonly label: Pick<Label, 'labelName' | 'labelColour'>;
}): ReactNode => (
  <span className={styles.chip} data-colour={labelColour} title={labelName}>
    {labelName}
  </span>
);

/** The labels of a machine; nothing if it has none. */
export const LabelChips = ({ serial }: { readonly serial: string }): ReactNode => (
  <ChipList labels={useLabels().ofMachine(serial)} />
);

const ChipList = memo(({ labels }: { readonly labels: readonly Label[] }): ReactNode => {
  if (labels.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Labels">
      {labels.map((label) => (
        <li key={label._id}>
          <LabelChip label={label} />
        </li>
      ))}
    </ul>
  );
});
