import { type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { type Nearby, nearestFirst } from '#shared/domain/distance.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { useFlyTo } from '#web/map/fly-to.ts';
import { RowList } from '#web/ui/row-list.tsx';
import styles from './nearby-panel.module.css';
import { NearbyRow, ROW_REM } from './nearby-row.tsx';

type NearbyPanelProps = {
  readonly fleet: readonly LiveEntry[];
  readonly own: Position | undefined;
  readonly now: number;
  /** On a small screen the panel is a handle that opens; else it is always open. */
  readonly small: boolean;
  readonly expanded: boolean;
  readonly onExpandedChange: (expanded: boolean) => void;
  /** Closes the popup on departure, and opens that of the machine on arrival. */
  readonly onOpenChange: (serialNumber: string | undefined) => void;
};

const keyOf = ({ item }: Nearby<LiveEntry>): string => item.metadata.serialNumber;

/** 'Machines in de buurt': nearest first when the own position is known, else in received order (MAP-08 to MAP-12). */
export function NearbyPanel(props: NearbyPanelProps): ReactNode {
  const { own, now, small, expanded, onExpandedChange, onOpenChange } = props;
  // The map first: sorting ten thousand machines is a task of its own.
  const fleet = useDeferredValue(props.fleet);
  const flyTo = useFlyTo();
  const listId = useId();
  const isOpen = !small || expanded;
  const rows = useMemo(
    () => (isOpen ? nearestFirst(fleet, ({ liveData }) => positionOf(liveData), own) : []),
    [isOpen, fleet, own],
  );

  async function choose({ metadata, liveData }: LiveEntry): Promise<void> {
    const position = positionOf(liveData);
    if (!position) return;
    onExpandedChange(false);
    onOpenChange(undefined);
    await flyTo(position);
    onOpenChange(metadata.serialNumber);
  }

  return (
    <section className={styles.panel} data-small={small} aria-label="Machines in de buurt">
      <h2 className={styles.title}>
        {small ? (
          <button
            type="button"
            className={styles.handle}
            aria-expanded={expanded}
            aria-controls={listId}
            onClick={() => onExpandedChange(!expanded)}
          >
            Machines in de buurt
            <svg className={styles.chevron} viewBox="0 0 16 16" aria-hidden="true">
              <path d="m3 10.5 5-5 5 5" />
            </svg>
          </button>
        ) : (
          'Machines in de buurt'
        )}
      </h2>
      <div id={listId} className={styles.list} hidden={!isOpen}>
        {isOpen && (
          <RowList items={rows} keyOf={keyOf} rowRem={ROW_REM}>
            {({ item, metres }) => (
              <NearbyRow entry={item} metres={metres} now={now} onChoose={(entry) => void choose(entry)} />
            )}
          </RowList>
        )}
      </div>
    </section>
  );
}
