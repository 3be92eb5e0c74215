import { Button } from '@mantine/core';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { formatNumber } from '#shared/domain/nl.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { SearchField } from '#web/ui/searched-list.tsx';
import type { SignalUses } from './mapping-draft.ts';
import { type IndexedSignal, rangeText, type SignalIndex, searchSignals } from './signal-index.ts';
import styles from './signal-picker.module.css';
import { signalLabel } from './signal-text.ts';

/** Height of a row: three lines and a border. */
const ROW_REM = 5;

type SignalPickerProps = {
  /** The signal or custom name for which a DBC signal is chosen. */
  readonly to: string;
  readonly index: SignalIndex;
  readonly proposals: readonly IndexedSignal[];
  readonly uses: SignalUses;
  readonly onChoose: (signal: IndexedSignal) => void;
  readonly onClose: () => void;
};

/** Dialog that searches all DBC signals and chooses one. Proposals come first; Enter chooses the only signal found. */
export function SignalPicker({ to, index, proposals, uses, onChoose, onClose }: SignalPickerProps) {
  const [search, setSearch] = useState('');
  const deferredSearch = useDeferredValue(search);
  const found = useMemo(
    () => searchSignals(index.all, deferredSearch, proposals),
    [index, deferredSearch, proposals],
  );
  const choose = (signal: IndexedSignal): void => {
    if (signal.blocked !== undefined) return;
    onChoose(signal);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const [only, another] = found;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      event.currentTarget.querySelector<HTMLElement>('li button')?.focus();
    } else if (event.key === 'Enter' && only && !another && deferredSearch === search) {
      event.preventDefault();
      choose(only);
    }
  };
  const all = index.all.length;
  return (
    <Dialog title={`Signaal voor ${signalLabel(to)}`} onClose={onClose} isWide>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the field inside. */}
      <div className="stack gap-0" onKeyDown={onKeyDown}>
        <SearchField
          label="Zoek een signaal"
          placeholder="Signaal, bericht of toelichting"
          value={search}
          onChange={setSearch}
          found={
            found.length === all
              ? `${formatNumber(all)} signalen`
              : `${formatNumber(found.length)} van ${formatNumber(all)}`
          }
        />
        <div className={`${styles.list} outlined mb-4 clip`}>
          {found.length === 0 ? (
            <EmptyState title="Niets gevonden">
              <p>Probeer minder of andere letters.</p>
            </EmptyState>
          ) : (
            // The key changes with the found signals: the list scrolls to its top for others, and keeps the focus for the same ones.
            <RowList
              key={`${found.length} ${found[0]?.id} ${found.at(-1)?.id}`}
              items={found}
              keyOf={({ id }) => String(id)}
              rowRem={ROW_REM}
            >
              {(signal) => (
                <SignalOption
                  signal={signal}
                  isProposed={proposals.includes(signal)}
                  feeds={uses.get(signal.id) ?? []}
                  onChoose={() => choose(signal)}
                />
              )}
            </RowList>
          )}
        </div>
        <Button variant="default" size="md" onClick={onClose}>
          Annuleren
        </Button>
      </div>
    </Dialog>
  );
}

type SignalOptionProps = {
  readonly signal: IndexedSignal;
  readonly isProposed: boolean;
  /** The portal's signals and custom names that this DBC signal already feeds. */
  readonly feeds: readonly string[];
  readonly onChoose: () => void;
};

/** A DBC signal in the list, of two or three lines. The title attribute holds the whole text. */
function SignalOption({ signal, isProposed, feeds, onChoose }: SignalOptionProps) {
  const { bus, message, comment, activeWhen, blocked } = signal;
  const place = [rangeText(signal), `can${bus}`, message, activeWhen && `alleen bij ${activeWhen}`]
    .filter(Boolean)
    .join(' · ');
  const about = blocked === undefined ? comment : `Kan niet gekozen worden: ${blocked}`;
  return (
    <button
      type="button"
      className={`${styles.option} list-row`}
      aria-disabled={blocked !== undefined || undefined}
      title={[place, about].filter(Boolean).join('\n')}
      onClick={onChoose}
    >
      <span className="row baseline shrink">
        <span className="cut strong">{signal.signal}</span>
        {isProposed && <span className="cut tag">voorstel</span>}
        {feeds.length > 0 && <span className="cut tag">voedt {feeds.join(', ')}</span>}
      </span>
      <span className="cut quiet small">{place}</span>
      {about && <span className="cut quiet small">{about}</span>}
    </button>
  );
}
