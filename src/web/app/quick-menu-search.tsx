import type { RefObject } from 'react';
import type { FleetFilter } from '#shared/domain/fleet-search.ts';
import { SILENT_LABEL, statusLabel } from '#shared/domain/nl.ts';
import { LabelBar } from '#web/machines/label-bar.tsx';
import { type LabelFilter, NO_LABEL_FILTER } from '#web/machines/label-filter.ts';
import styles from './quick-menu-search.module.css';

export type FleetQuery = {
  readonly text: string;
  readonly filter: FleetFilter;
  readonly limit: LabelFilter;
};
export const EMPTY_QUERY: FleetQuery = { text: '', filter: 'all', limit: NO_LABEL_FILTER };

const FILTERS: readonly { readonly value: FleetFilter; readonly label: string }[] = [
  { value: 'all', label: 'Alle' },
  { value: 'running', label: statusLabel('running') },
  { value: 'charging', label: statusLabel('charging') },
  { value: 'off', label: statusLabel('off') },
  { value: 'silent', label: SILENT_LABEL },
];

type Props = {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly query: FleetQuery;
  readonly onChange: (query: FleetQuery) => void;
};

/**
 * Search fields of the quick menu: text, status and label. The status is a group of radio buttons, so that arrow keys change
 * it.
 */
export function QuickMenuSearch({ field, query, onChange }: Props) {
  return (
    <search className="stack gap-1 pt-2 px-2">
      <input
        ref={field}
        type="search"
        className={`${styles.field} outlined full touch px-3 inset`}
        aria-label="Zoek een machine"
        placeholder="Naam, model, nummer of logger"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={query.text}
        onChange={({ target }) => onChange({ ...query, text: target.value })}
      />
      <fieldset className="cluster gap-0 stretch small">
        <legend className="sr-only">Status</legend>
        {FILTERS.map(({ value, label }) => (
          <label key={value} className="segment hover">
            <input
              type="radio"
              name="fleet-filter"
              checked={value === query.filter}
              onChange={() => onChange({ ...query, filter: value })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <LabelBar isTight filter={query.limit} onChange={(limit) => onChange({ ...query, limit })} />
    </search>
  );
}
