import type { ReactNode } from 'react';
import type { RangeFaults, TimeRange } from '#shared/domain/time-range.ts';
import { MomentField } from './moment-field.tsx';

type RangeFieldsProps = {
  readonly range: TimeRange;
  readonly faults?: RangeFaults;
  /** ms; nothing later can be picked. */
  readonly latest: number;
  readonly onChange: (change: Partial<TimeRange>) => void;
};

/** Begin and end of a stretch of time. Not inside a form: the dialogs of its fields are forms themselves. */
export const RangeFields = ({ range, faults = {}, latest, onChange }: RangeFieldsProps): ReactNode => (
  <>
    <MomentField
      label="Begin"
      which="first"
      value={range.from}
      latest={latest}
      fault={faults.from}
      onChange={(from) => onChange({ from })}
    />
    <MomentField
      label="Eind"
      which="last"
      value={range.to}
      latest={latest}
      fault={faults.to}
      onChange={(to) => onChange({ to })}
    />
  </>
);
