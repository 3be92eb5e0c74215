import { lazy, type ReactNode, Suspense } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import type { Area } from '#shared/domain/area.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { statusText } from '#shared/domain/nl.ts';
import { positionOf } from '#shared/domain/position.ts';
import { freshnessOf, isStale } from '#shared/domain/staleness.ts';
import { AreaShapes, FitAreas } from '#web/map/area-shapes.tsx';
import { BaseMap } from '#web/map/base-map.tsx';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { PointMarker } from '#web/map/point-marker.tsx';
import styles from './project-map.module.css';

const DrawAreas = lazy(async () => ({ default: (await import('#web/map/draw-areas.tsx')).DrawAreas }));

/** Initial view of the Netherlands, until there is an area or a machine. */
const CENTRE = { lat: 52.1326, lon: 5.2913 };
const ZOOM = 7;
const NONE: readonly Area[] = [];

export type AreaShape = 'polygon' | 'circle';

type ProjectMapProps = {
  readonly label: string;
  readonly areas: readonly Area[];
  /** Areas of other projects. */
  readonly others?: readonly Area[];
  readonly machines: readonly LiveEntry[];
  readonly now: number;
  /** Areas to which the map is fitted if `areas` is empty. */
  readonly around?: readonly Area[];
  /** Makes the areas editable. */
  readonly draw?: {
    readonly drawing: AreaShape | undefined;
    readonly onChange: (areas: readonly Area[]) => void;
    readonly onDrawn: () => void;
  };
};

/** A map of a project's areas and machines. */
export function ProjectMap(props: ProjectMapProps): ReactNode {
  const { label, areas, others = NONE, machines, now, around = NONE, draw } = props;
  return (
    <div className={styles.map} data-drawing={draw?.drawing !== undefined || undefined}>
      <LeafletMap centre={CENTRE} zoom={ZOOM} label={label} wheel="focused">
        <BaseMap />
        <FitAreas areas={areas.length > 0 ? areas : around} />
        <AreaShapes areas={others} kind="other" />
        {draw ? (
          <Suspense>
            <DrawAreas areas={areas} {...draw} />
          </Suspense>
        ) : (
          <AreaShapes areas={areas} kind="own" />
        )}
        {machines.map((entry) => (
          <MachinePin
            key={entry.metadata.serialNumber}
            entry={entry}
            now={now}
            isShown={draw !== undefined}
          />
        ))}
      </LeafletMap>
    </div>
  );
}

type MachinePinProps = {
  readonly entry: LiveEntry;
  readonly now: number;
  /** Whether the pin is shown without a popup, because a popup would catch the clicks that draw an area. */
  readonly isShown: boolean;
};

function MachinePin({ entry: { metadata, liveData }, now, isShown }: MachinePinProps): ReactNode {
  const position = positionOf(liveData);
  if (!position) return null;
  const stale = isStale(liveData.GMT_UNIX, now);
  const status = statusText(machineStatus(liveData), freshnessOf(liveData.GMT_UNIX, now));
  return (
    <PointMarker
      at={position}
      kind="machine"
      label={isShown ? metadata.alias : `${metadata.alias}, ${status}`}
      stale={stale}
    >
      {isShown ? undefined : (
        <p className={styles.popup}>
          <strong>{metadata.alias}</strong>
          <br />
          {status}
        </p>
      )}
    </PointMarker>
  );
}
