import { useDeferredValue, useMemo, useState } from 'react';
import type { DefinitionBus, KeptMessage } from '#shared/contract/definition.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { SearchField } from '#web/ui/searched-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import styles from './keep-panel.module.css';
import { keptMessageKey } from './mapping-draft.ts';

/** Height of a row: two lines and a border. */
const ROW_REM = 3.75;

type KeepPanelProps = {
  readonly buses: readonly DefinitionBus[];
  readonly keep: readonly KeptMessage[];
  readonly onChange: (keep: readonly KeptMessage[]) => void;
};

/** Panel 'Bewaren', in which the user chooses CAN messages: all signals of these are stored under their own names. */
export function KeepPanel({ buses, keep, onChange }: KeepPanelProps) {
  const [search, setSearch] = useState('');
  const [isOnlyKept, setIsOnlyKept] = useState(false);
  const deferredSearch = useDeferredValue(search);
  const kept = new Set(keep.map(keptMessageKey));
  const all = useMemo(() => keepableMessages(buses, keep), [buses, keep]);
  const found = searchByWords(all, deferredSearch, ({ text }) => text).filter(
    (message) => !isOnlyKept || kept.has(keptMessageKey(message)),
  );
  const toggle = ({ bus, message }: KeepableMessage): void => {
    const key = keptMessageKey({ bus, message });
    onChange(kept.has(key) ? keep.filter((one) => keptMessageKey(one) !== key) : [...keep, { bus, message }]);
  };
  return (
    <Panel title="Bewaren">
      <p className="quiet measure">
        Van een bericht dat je hier aanvinkt bewaart het portaal alle signalen, onder hun naam in het
        DBC-bestand. De logger stuurt alleen wat gekoppeld of bewaard wordt.
      </p>
      <SearchField
        label="Zoek een bericht"
        placeholder="Naam, nummer of toelichting"
        value={search}
        onChange={setSearch}
        found={`${formatNumber(kept.size)} van ${formatNumber(all.length)} bewaard`}
      />
      <TickBox
        label="Toon alleen bewaarde berichten"
        checked={isOnlyKept}
        onChange={({ currentTarget }) => setIsOnlyKept(currentTarget.checked)}
      />
      <div className={`${styles.list} outlined clip`}>
        {found.length === 0 ? (
          <EmptyState
            title={isOnlyKept && deferredSearch === '' ? 'Nog geen bericht bewaard' : 'Niets gevonden'}
          />
        ) : (
          <RowList
            key={`${deferredSearch} ${isOnlyKept}`}
            items={found}
            keyOf={keptMessageKey}
            rowRem={ROW_REM}
          >
            {(message) => (
              <KeepRow
                message={message}
                isKept={kept.has(keptMessageKey(message))}
                onToggle={() => toggle(message)}
              />
            )}
          </RowList>
        )}
      </div>
    </Panel>
  );
}

type KeepRowProps = {
  readonly message: KeepableMessage;
  readonly isKept: boolean;
  readonly onToggle: () => void;
};

function KeepRow({ message: { bus, message, about }, isKept, onToggle }: KeepRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the arrow keys move among the links and buttons of the list.
    <button
      type="button"
      role="checkbox"
      aria-checked={isKept}
      className={`${styles.row} list-row middle`}
      title={about}
      onClick={onToggle}
    >
      <span className={`${styles.box} centre surface`} aria-hidden="true">
        {isKept && (
          <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
            <path
              d="M5 12.5l4.5 4.5L19 7.5"
              fill="none"
              stroke="currentColor"
              strokeWidth="3"
              strokeLinecap="round"
            />
          </svg>
        )}
      </span>
      <span className="cut strong">{message}</span>
      <span className="cut quiet small">
        can{bus} · {about}
      </span>
    </button>
  );
}

type KeepableMessage = KeptMessage & {
  /** Text with the identifier, the number of signals and the comment of the message. */
  readonly about: string;
  /** The text in which the search words must occur. */
  readonly text: string;
};

/** Returns every message with signals, once per bus and name. Kept messages that are no longer in the DBC files come first. */
function keepableMessages(buses: readonly DefinitionBus[], keep: readonly KeptMessage[]): KeepableMessage[] {
  const messages = new Map<string, KeepableMessage>();
  for (const { bus, messages: defined } of buses) {
    for (const { name: message, identifier, comment, signals } of defined) {
      const key = keptMessageKey({ bus, message });
      if (signals.length === 0 || messages.has(key)) continue;
      const number = `${formatNumber(signals.length)} ${signals.length === 1 ? 'signaal' : 'signalen'}`;
      const about = [identifier, number, comment].filter(Boolean).join(' · ');
      messages.set(key, { bus, message, about, text: `${message} can${bus} ${about}` });
    }
  }
  const gone = keep
    .filter((one) => !messages.has(keptMessageKey(one)))
    .map((one) => ({
      ...one,
      about: 'staat niet meer in het DBC-bestand',
      text: `${one.message} can${one.bus}`,
    }));
  return [...gone, ...messages.values()];
}
