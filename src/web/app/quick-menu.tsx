import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { sortByName, sortWorkingFirst } from '#shared/domain/fleet-order.ts';
import { searchFleet } from '#shared/domain/fleet-search.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import { useMachinesWithLabels } from '#web/machines/label-bar.tsx';
import { isLabelFilterActive } from '#web/machines/label-filter.ts';
import { machineOrLoggerPath } from '#web/machines/page-path.ts';
import { useUser } from '#web/session/user.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { Flyout } from './flyout.tsx';
import styles from './quick-menu.module.css';
import { QUICK_MENU_ROW_REM, QuickMenuRow } from './quick-menu-row.tsx';
import { EMPTY_QUERY, type FleetQuery, QuickMenuSearch } from './quick-menu-search.tsx';

/** The menu behind the forklift icon: links to all machines, working ones first (APP-08, APP-09, APP-10). */
export function QuickMenu() {
  return (
    <Flyout label="Machines" side="right" icon={<ForkliftIcon />}>
      {(close) => <MachineList onChoose={close} />}
    </Flyout>
  );
}

const serialOf = ({ metadata }: LiveEntry): string => metadata.serialNumber;
const hasQuery = ({ text, filter, limit }: FleetQuery): boolean =>
  text !== '' || filter !== 'all' || isLabelFilterActive(limit);
const keyOf = ({ metadata }: LiveEntry): string => `${metadata.kind} ${metadata.serialNumber}`;

/**
 * Searchable list of machines, which follows the live data. Arrow down moves from the search field to the list and
 * arrow up moves back. Escape clears the search, and closes the menu if there is nothing to clear.
 */
function MachineList({ onChoose }: { readonly onChoose: () => void }) {
  const menu = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<FleetQuery>(EMPTY_QUERY);
  // Keeps typing responsive while thousands of machines are searched.
  const deferredQuery = useDeferredValue(query);
  const machines = useFleetOrder(useDeferredValue(useFleet()));
  const now = useNow(30_000);
  const user = useUser();
  const found = useMachinesWithLabels(
    useMemo(
      () => searchFleet(machines, deferredQuery.text, deferredQuery.filter, now),
      [machines, deferredQuery, now],
    ),
    deferredQuery.limit,
    serialOf,
  );
  useFocusOnDesktop(field);

  function clear(): void {
    setQuery(EMPTY_QUERY);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, target } = event;
    const inFirstRow = target instanceof Element && target.closest('[aria-posinset="1"]');
    if (key === 'Escape' && hasQuery(query)) clear();
    else if (key === 'ArrowDown' && target === field.current)
      menu.current?.querySelector<HTMLElement>('li :is(a, button)')?.focus();
    else if (key === 'ArrowUp' && inFirstRow) field.current?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <nav ref={menu} aria-label="Machines" className={`${styles.menu} column gap-0`} onKeyDown={onKeyDown}>
      <QuickMenuSearch field={field} query={query} onChange={setQuery} />
      <p role="status" className={`${styles.count} py-1 px-3 quiet smaller`}>
        {foundMachinesText(found.length, machines.length)}
      </p>
      <div className={`${styles.list} column gap-0`}>
        {found.length > 0 ? (
          // A new key for each search makes a new list, which starts at the top.
          <RowList
            key={`${deferredQuery.filter} ${deferredQuery.text} ${JSON.stringify(deferredQuery.limit)}`}
            items={found}
            keyOf={keyOf}
            rowRem={QUICK_MENU_ROW_REM}
          >
            {(entry) => (
              <QuickMenuRow
                entry={entry}
                to={machineOrLoggerPath(entry.metadata, machines)}
                nowMs={now}
                onChoose={onChoose}
              />
            )}
          </RowList>
        ) : machines.length > 0 ? (
          <EmptyState title="Niets gevonden">
            <p>Geen enkele machine past hierbij. Probeer minder woorden of een andere status.</p>
            <button type="button" className="text-link px-4" onClick={clear}>
              Toon alle machines
            </button>
          </EmptyState>
        ) : (
          <EmptyState title="Nog geen machines">
            {isActionAllowed(user, 'manage-machines') ? (
              <Link to="/machine/nieuw" className="text-link px-4" onClick={onChoose}>
                Maak een machine
              </Link>
            ) : (
              <p>Zodra er een machine is geregistreerd, staat hij hier.</p>
            )}
          </EmptyState>
        )}
      </div>
    </nav>
  );
}

/** Devices on which the search field gets the focus. On a phone the focus would open the keyboard, which covers the list. */
const DESKTOP = '(hover: hover) and (pointer: fine)';

function useFocusOnDesktop(field: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    if (!window.matchMedia(DESKTOP).matches) return;
    // The field is rendered before the panel opens, and can have the focus from the next frame on.
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [field]);
}

/** Returns the fleet in the order of the quick menu (APP-08). Sorts from the previous order by name, which hardly changes. */
function useFleetOrder(fleet: readonly LiveEntry[]): readonly LiveEntry[] {
  const [last] = useState<{ byName: readonly LiveEntry[] }>(() => ({ byName: [] }));
  return useMemo(() => {
    const byName = sortByName(fleet, last.byName);
    last.byName = byName;
    return sortWorkingFirst(byName);
  }, [fleet, last]);
}

/** Returns how many machines the quick menu shows: '24 machines', '3 van 10.000 machines'. */
export function foundMachinesText(found: number, total: number): string {
  if (total === 0) return '';
  const machines = `${formatNumber(total)} ${total === 1 ? 'machine' : 'machines'}`;
  if (found === total) return machines;
  return found === 0 ? `Geen van ${machines}` : `${formatNumber(found)} van ${machines}`;
}

/** A forklift from the side, its forks to the right. */
function ForkliftIcon() {
  return (
    <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round">
        <path d="M4.2 17.2H2.6v-5.4h3.2V5.2h5l3 6.6v5.4" />
        <path d="M5.8 11.8h8M8.2 17.2h2.2" />
        <path d="M17 3.4v15.2h5" />
        <circle cx="6.2" cy="18" r="2" />
        <circle cx="12.4" cy="18" r="2" />
      </g>
    </svg>
  );
}
