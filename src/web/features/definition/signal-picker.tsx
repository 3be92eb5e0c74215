import { Button } from '@mantine/core';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { plainNumber } from '#shared/domain/nl.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { SearchField } from '#web/ui/searched-list.tsx';
import type { Uses } from './mapping-draft.ts';
import { type IndexedSignal, rangeText, type SignalIndex, searchSignals } from './signal-index.ts';
import styles from './signal-picker.module.css';
import { wordFor } from './signal-words.ts';

/** rem; as high as three lines and their edge. */
const ROW_REM = 5;

type SignalPickerProps = {
  /** What it is chosen for. */
  readonly to: string;
  readonly index: SignalIndex;
  readonly proposals: readonly IndexedSignal[];
  readonly uses: Uses;
  readonly onChoose: (signal: IndexedSignal) => void;
  readonly onClose: () => void;
};

/** All DBC signals, to search in and to choose one from. Proposals come first; Enter takes the only one found. */
export function SignalPicker({ to, index, proposals, uses, onChoose, onClose }: SignalPickerProps) {
  const [question, setQuestion] = useState('');
  const asked = useDeferredValue(question);
  const found = useMemo(() => searchSignals(index.all, asked, proposals), [index, asked, proposals]);
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
    } else if (event.key === 'Enter' && only && !another && asked === question) {
      event.preventDefault();
      choose(only);
    }
  };
  const all = index.all.length;
  return (
    <Dialog title={`Signaal voor ${wordFor(to)}`} onClose={onClose} isWide>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field in it. */}
      <div className={styles.picker} onKeyDown={onKeyDown}>
        <SearchField
          label="Zoek een signaal"
          placeholder="Signaal, bericht of toelichting"
          value={question}
          onChange={setQuestion}
          found={
            found.length === all
              ? `${plainNumber(all)} signalen`
              : `${plainNumber(found.length)} van ${plainNumber(all)}`
          }
        />
        <div className={styles.list}>
          {found.length === 0 ? (
            <EmptyState title="Niets gevonden">
              <p>Probeer minder of andere letters.</p>
            </EmptyState>
          ) : (
            // Another list begins at the top; the same one keeps the focus, which may be in it while one still types.
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
  /** Names that it feeds by now. */
  readonly feeds: readonly string[];
  readonly onChoose: () => void;
};

/** A DBC signal in the list: two or three lines, and whatever does not fit as a title. */
function SignalOption({ signal, isProposed, feeds, onChoose }: SignalOptionProps) {
  const { bus, message, comment, activeWhen, blocked } = signal;
  const place = [rangeText(signal), `can${bus}`, message, activeWhen && `alleen bij ${activeWhen}`]
    .filter(Boolean)
    .join(' · ');
  const about = blocked === undefined ? comment : `Kan niet gekozen worden: ${blocked}`;
  return (
    <button
      type="button"
      className={styles.option}
      aria-disabled={blocked !== undefined || undefined}
      title={[place, about].filter(Boolean).join('\n')}
      onClick={onChoose}
    >
      <span className={styles.first}>
        <span className={styles.name}>{signal.signal}</span>
        {isProposed && <span className={styles.mark}>voorstel</span>}
        {feeds.length > 0 && <span className={styles.mark}>voedt {feeds.join(', ')}</span>}
      </span>
      <span className={styles.line}>{place}</span>
      {about && <span className={styles.line}>{about}</span>}
    </button>
  );
}
