import { type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { distance } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { entryPath } from '#web/machines/page-path.ts';
import { useFlyTo } from '#web/map/map-movement.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { MachineRow, ROW_REM } from './machine-row.tsx';
import styles from './nearby-panel.module.css';
import { type Nearby, nearestFirst } from './nearest-first.ts';

type NearbyPanelProps = {
  readonly fleet: readonly LiveEntry[];
  readonly own: Position | undefined;
  /** The person asked for the own position, in vain. */
  readonly isRefused: boolean;
  readonly onShare: () => void;
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
  const { own, isRefused, onShare, now, small, expanded, onExpandedChange, onOpenChange } = props;
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
        {isOpen && !own && fleet.length > 1 && <ShareLocation isRefused={isRefused} onShare={onShare} />}
        {isOpen && rows.length === 0 && <p className={styles.note}>Geen machines met deze stand.</p>}
        {isOpen && (
          <RowList items={rows} keyOf={keyOf} rowRem={ROW_REM}>
            {({ item, metres }) => (
              <NearbyRow
                entry={item}
                to={entryPath(item.metadata, fleet)}
                metres={metres}
                now={now}
                onChoose={() => void choose(item)}
              />
            )}
          </RowList>
        )}
      </div>
    </section>
  );
}

type ShareLocationProps = { readonly isRefused: boolean; readonly onShare: () => void };

/** Without the own position there are no distances. A browser that was told no asks nobody again. */
const ShareLocation = ({ isRefused, onShare }: ShareLocationProps): ReactNode => (
  <div role="status">
    {isRefused ? (
      <p className={styles.note}>
        Je browser geeft je locatie niet. Sta dat toe bij de instellingen van deze site en laad de pagina
        opnieuw.
      </p>
    ) : (
      <button type="button" className={styles.share} onClick={onShare}>
        Deel je locatie voor afstanden
      </button>
    )}
  </div>
);

type NearbyRowProps = {
  readonly entry: LiveEntry;
  /** The machine's own page. */
  readonly to: string;
  /** undefined: not known. */
  readonly metres: number | undefined;
  readonly now: number;
  readonly onChoose: () => void;
};

/** Alias and distance (MAP-08). What has no place on the map leads to its page instead, and says why. */
function NearbyRow({ entry, to, metres, now, onChoose }: NearbyRowProps): ReactNode {
  return positionOf(entry.liveData) ? (
    <MachineRow
      entry={entry}
      place={metres === undefined ? undefined : distance(metres)}
      now={now}
      onChoose={onChoose}
    />
  ) : (
    <MachineRow entry={entry} place="geen positie" now={now} onChoose={{ to }} />
  );
}
