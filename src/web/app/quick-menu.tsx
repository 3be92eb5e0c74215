import { useMemo, useRef, useState } from 'react';
import { inFleetOrder } from '#shared/domain/fleet-order.ts';
import type { LiveEntry } from '#shared/domain/live.ts';
import { useFleet } from '#web/lib/live.ts';
import { useNow } from '#web/lib/now.ts';
import { useVisibleRows } from '#web/lib/visible-rows.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Flyout } from '#web/ui/flyout.tsx';
import { ForkliftIcon } from '#web/ui/forklift-icon.tsx';
import styles from './quick-menu.module.css';
import { QuickMenuRow, ROW_REM } from './quick-menu-row.tsx';

/** The forklift: all machines, those at work first, one click from their page (APP-08, APP-09, APP-10). */
export function QuickMenu() {
  return (
    <Flyout label="Machines" side="right" icon={<ForkliftIcon />}>
      {(close) => <MachineList onChoose={close} />}
    </Flyout>
  );
}

const keyOf = ({ metadata }: LiveEntry): string => `${metadata.kind} ${metadata.serialNumber}`;

/** Follows the live query itself, so it is never more than a poll behind. Only the rows in sight are drawn. */
function MachineList({ onChoose }: { readonly onChoose: () => void }) {
  const fleet = useFleet();
  const machines = useMemo(() => inFleetOrder(fleet), [fleet]);
  const box = useRef<HTMLElement>(null);
  // A row keeps its place in the page while it has the focus, wherever the list scrolls or sorts it to.
  const [focused, setFocused] = useState<string>();
  const focusedAt = focused === undefined ? -1 : machines.findIndex((entry) => keyOf(entry) === focused);
  const { rows, rowHeight } = useVisibleRows(box, machines.length, ROW_REM, focusedAt);
  const now = useNow(30_000);
  return (
    <nav aria-label="Machines" ref={box} className={styles.box}>
      {machines.length === 0 && (
        <EmptyState title="Nog geen machines">
          <p>Zodra er een machine is geregistreerd, staat hij hier.</p>
        </EmptyState>
      )}
      <ul className={styles.list} style={{ height: machines.length * rowHeight }}>
        {rows.map((at) => {
          const entry = machines[at]!;
          return (
            <li
              key={keyOf(entry)}
              aria-setsize={machines.length}
              aria-posinset={at + 1}
              className={styles.item}
              style={{ top: at * rowHeight, height: rowHeight }}
              onFocus={() => setFocused(keyOf(entry))}
              onBlur={() => setFocused(undefined)}
            >
              <QuickMenuRow entry={entry} nowMs={now} onChoose={onChoose} />
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
