import { useMemo } from 'react';
import { inFleetOrder } from '#shared/domain/fleet-order.ts';
import type { LiveEntry } from '#shared/domain/live.ts';
import { useFleet } from '#web/lib/live.ts';
import { useNow } from '#web/lib/now.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Flyout } from '#web/ui/flyout.tsx';
import { ForkliftIcon } from '#web/ui/forklift-icon.tsx';
import { RowList } from '#web/ui/row-list.tsx';
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

/** Follows the live query itself, so it is never more than a poll behind. */
function MachineList({ onChoose }: { readonly onChoose: () => void }) {
  const fleet = useFleet();
  const machines = useMemo(() => inFleetOrder(fleet), [fleet]);
  const now = useNow(30_000);
  return (
    <nav aria-label="Machines" className={styles.menu}>
      {machines.length === 0 ? (
        <EmptyState title="Nog geen machines">
          <p>Zodra er een machine is geregistreerd, staat hij hier.</p>
        </EmptyState>
      ) : (
        <RowList items={machines} keyOf={keyOf} rowRem={ROW_REM}>
          {(entry) => <QuickMenuRow entry={entry} nowMs={now} onChoose={onChoose} />}
        </RowList>
      )}
    </nav>
  );
}
