import { type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { distance } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { entryPath } from '#web/machines/page-path.ts';
import { useFlyTo } from '#web/map/map-movement.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { StatusIcon } from '#web/ui/status-icon.tsx';
import styles from './nearby-panel.module.css';
import { type Nearby, nearestFirst } from './nearest-first.ts';

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
              <NearbyRow
                entry={item}
                to={entryPath(item.metadata, fleet)}
                metres={metres}
                now={now}
                onChoose={(entry) => void choose(entry)}
              />
            )}
          </RowList>
        )}
      </div>
    </section>
  );
}

/** Height of a row: a finger's size. */
const ROW_REM = 2.75;

type NearbyRowProps = {
  readonly entry: LiveEntry;
  /** The machine's own page. */
  readonly to: string;
  /** undefined: not known. */
  readonly metres: number | undefined;
  readonly now: number;
  readonly onChoose: (entry: LiveEntry) => void;
};

/** Alias and distance (MAP-08). What has no place on the map leads to its page instead, and says why. */
function NearbyRow({ entry, to, metres, now, onChoose }: NearbyRowProps): ReactNode {
  const { metadata, liveData } = entry;
  const stale = isStale(liveData.GMT_UNIX, now);
  const isPlaced = positionOf(liveData) !== undefined;
  const place = isPlaced ? metres !== undefined && distance(metres) : 'geen positie';
  const content = (
    <>
      <span className={styles.alias}>{metadata.alias}</span>
      {place && <span className={styles.place}>{place}</span>}
      <span className={styles.icon}>
        <StatusIcon status={machineStatus(liveData)} stale={stale} />
      </span>
    </>
  );
  return isPlaced ? (
    <button type="button" className={styles.row} data-stale={stale} onClick={() => onChoose(entry)}>
      {content}
    </button>
  ) : (
    <Link className={styles.row} data-stale={stale} to={to}>
      {content}
    </Link>
  );
}
