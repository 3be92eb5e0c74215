import { type ReactNode, useId } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { formatDistance } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { remPx } from '#web/lib/rem.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { machineOrLoggerPath } from '#web/machines/page-path.ts';
import { useFitMap, useFlyTo } from '#web/map/map-movement.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import type { MachineAvailability } from './free-machines.ts';
import { MACHINE_ROW_REM, MachineRow } from './machine-row.tsx';
import styles from './nearby-panel.module.css';
import { nearestFirst } from './nearest-first.ts';
import { panelInsets } from './opening-view.ts';
import { metresFrom, type NearbyOrigin } from './origin.ts';
import { OriginField } from './origin-field.tsx';
import type { NearbyRow, useNearby } from './use-nearby.ts';

type NearbyPanelProps = {
  /** The rows of the list, the origin of their distances, and the filter for free machines. */
  readonly nearby: ReturnType<typeof useNearby>;
  readonly fleet: readonly FleetEntry[];
  readonly own: Position | undefined;
  /** Whether the browser refused to give the user's position. */
  readonly isRefused: boolean;
  readonly onShare: () => void;
  readonly now: number;
  /** On a small screen a handle opens the panel; on other screens it is always open. */
  readonly small: boolean;
  readonly expanded: boolean;
  readonly onExpandedChange: (expanded: boolean) => void;
  /**
   * Called with undefined to close the popup before the map moves, and afterwards with the machine whose popup must
   * open.
   */
  readonly onOpenChange: (serialNumber: string | undefined) => void;
};

const keyOf = ({ item }: NearbyRow): string => item.metadata.serialNumber;

/** Number of nearest machines that the map shows together with a chosen origin. */
const SHOWN_WITH_ORIGIN = 3;

/**
 * Panel 'Machines in de buurt': machines, the nearest to the chosen origin or else to the user's position first. If neither is known, in
 * the order in which the server lists them (MAP-08 to MAP-12).
 */
export function NearbyPanel(props: NearbyPanelProps): ReactNode {
  const { nearby, fleet, own, isRefused, onShare, now, small, expanded, onExpandedChange, onOpenChange } =
    props;
  const { rows, origin, isFreeOnly, figures } = nearby;
  const flyTo = useFlyTo();
  const showTogether = useFitMap();
  const listId = useId();
  const isOpen = !small || expanded;

  function chooseOrigin(chosen: NearbyOrigin | undefined): void {
    nearby.setOrigin(chosen);
    if (!chosen) return;
    onOpenChange(undefined);
    const near = nearestFirst(
      fleet,
      ({ liveData }) => positionOf(liveData),
      (position) => metresFrom(chosen, position),
    );
    const positions = near.flatMap(({ item }) => positionOf(item.liveData) ?? []);
    showTogether([chosen.at, ...positions.slice(0, SHOWN_WITH_ORIGIN)], panelInsets(small, remPx()));
  }

  async function choose({ metadata, liveData }: LiveEntry): Promise<void> {
    const position = positionOf(liveData);
    if (!position) return;
    onExpandedChange(false);
    onOpenChange(undefined);
    await flyTo(position);
    onOpenChange(metadata.serialNumber);
  }

  return (
    <section
      className={`${styles.panel} raised clip`}
      data-small={small}
      data-over-map
      aria-label="Machines in de buurt"
    >
      <h2 className={`${styles.title} py-2 px-4 small bold line-below`}>
        {small ? (
          <button
            type="button"
            className={`${styles.handle} row full small inset`}
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
      <div id={listId} className={styles.body} hidden={!isOpen}>
        {isOpen && fleet.length > 1 && (
          <>
            <OriginField
              origin={origin}
              known={nearby.known}
              onFocus={nearby.startSearch}
              onChange={chooseOrigin}
            />
            <FreeOnly isOn={isFreeOnly} figures={figures} onChange={nearby.setFreeOnly} />
            {!own && !origin && <ShareLocation isRefused={isRefused} onShare={onShare} />}
          </>
        )}
        {isOpen && rows.length === 0 && !(isFreeOnly && !figures.data) && (
          <p className="py-2 px-4 smaller quiet line-below">
            {isFreeOnly
              ? 'Geen vrije machines: geen machine staat uit zonder project.'
              : 'Geen machines met deze stand.'}
          </p>
        )}
        {isOpen && (
          <div className={styles.list}>
            <RowList items={rows} keyOf={keyOf} rowRem={MACHINE_ROW_REM}>
              {({ item, metres, deployment }) => (
                <NearbyMachine
                  entry={item}
                  to={machineOrLoggerPath(item.metadata, fleet)}
                  metres={metres}
                  deployment={deployment}
                  now={now}
                  onChoose={() => void choose(item)}
                />
              )}
            </RowList>
          </div>
        )}
      </div>
    </section>
  );
}

type ShareLocationProps = { readonly isRefused: boolean; readonly onShare: () => void };

/** Button that asks for the user's position; after a refusal an explanation instead, because browsers do not ask the user twice. */
const ShareLocation = ({ isRefused, onShare }: ShareLocationProps): ReactNode => (
  <div role="status">
    {isRefused ? (
      <p className="py-2 px-4 smaller quiet line-below">
        Je browser geeft je locatie niet. Sta dat toe bij de instellingen van deze site en laad de pagina
        opnieuw.
      </p>
    ) : (
      <button type="button" className="row-button px-3 line-below smaller strong anchor" onClick={onShare}>
        Deel je locatie voor afstanden
      </button>
    )}
  </div>
);

type FreeOnlyProps = {
  readonly isOn: boolean;
  readonly figures: ReturnType<typeof useNearby>['figures'];
  readonly onChange: (isOn: boolean) => void;
};

/** Button that limits the list to machines that are off and on no project. */
const FreeOnly = ({ isOn, figures, onChange }: FreeOnlyProps): ReactNode => (
  <>
    <button
      type="button"
      className={`${styles.free} row-button px-3 line-below small strong`}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
    >
      Alleen vrije
      <span className={`${styles.meaning} clip normal quiet`}>uit, geen project</span>
    </button>
    {isOn && figures.isPending && !figures.isError && (
      <p className="py-2 px-4 smaller quiet line-below">Wordt geladen…</p>
    )}
    {isOn && <RetryAlert query={figures} fallback="De projecten zijn niet geladen." />}
  </>
);

type NearbyMachineProps = {
  readonly entry: LiveEntry;
  /** Path of the machine's page. */
  readonly to: string;
  /** Distance to the machine; undefined while it is unknown. */
  readonly metres: number | undefined;
  readonly deployment: MachineAvailability | undefined;
  readonly now: number;
  readonly onChoose: () => void;
};

/** Row of a machine (MAP-08): choosing it shows the machine on the map, or opens its page if it has no position. */
function NearbyMachine({ entry, to, metres, deployment, now, onChoose }: NearbyMachineProps): ReactNode {
  return positionOf(entry.liveData) ? (
    <MachineRow
      entry={entry}
      place={metres === undefined ? undefined : formatDistance(metres)}
      deployment={deployment}
      now={now}
      onChoose={onChoose}
    />
  ) : (
    <MachineRow entry={entry} place="geen positie" now={now} onChoose={{ to }} />
  );
}
