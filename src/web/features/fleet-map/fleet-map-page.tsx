import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import { entryPath } from '#web/machines/page-path.ts';
import { BaseMap } from '#web/map/base-map.tsx';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { MachineMarkers } from '#web/map/machine-markers.tsx';
import { PointMarker } from '#web/map/point-marker.tsx';
import styles from './fleet-map-page.module.css';
import { MachinePopup } from './machine-popup.tsx';
import { useMapMachines } from './map-machines.ts';
import { NearbyPanel } from './nearby-panel.tsx';

/** MAP-01. */
const CENTRE = { lat: 52.1326, lon: 5.2913 };
const ZOOM = 7;

/** Below this width the nearby panel is a handle at the bottom; as in the style sheets. */
const SMALL_SCREEN = '(max-width: 47.99em)';

/** Ages are told in minutes. */
const CLOCK_STEP_MS = 10_000;

/** Home: every machine of the user on a map, live (MAP-01). */
export function FleetMapPage(): ReactNode {
  const fleet = useFleet();
  const now = useNow(CLOCK_STEP_MS);
  const own = useOwnPosition();
  const machines = useMapMachines(fleet, now);
  const small = useMediaQuery(SMALL_SCREEN, false, { getInitialValueInEffect: false });
  const [expanded, setExpanded] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const open = fleet.find(({ metadata }) => metadata.serialNumber === openId);
  return (
    <div className={styles.page}>
      <h1 className="sr-only">Kaart</h1>
      <LeafletMap centre={CENTRE} zoom={ZOOM} label="Kaart met machines" interactive={!(small && expanded)}>
        <BaseMap />
        {own && <UserMarker at={own} />}
        <MachineMarkers
          machines={machines}
          openId={openId}
          onOpenChange={setOpenId}
          popup={open && <MachinePopup entry={open} to={entryPath(open.metadata, fleet)} now={now} />}
        />
        {fleet.length === 0 ? (
          <EmptyFleet />
        ) : (
          <NearbyPanel
            fleet={fleet}
            own={own}
            now={now}
            small={small}
            expanded={expanded}
            onExpandedChange={setExpanded}
            onOpenChange={setOpenId}
          />
        )}
      </LeafletMap>
    </div>
  );
}

/** MAP-03. */
const YOU = 'You are here';

/** Where the person is: a blue dot, with a popup that says so (MAP-03). */
const UserMarker = ({ at }: { readonly at: Position }): ReactNode => (
  <PointMarker at={at} kind="user" label={YOU}>
    <p className={styles.here}>{YOU}</p>
  </PointMarker>
);

/** Over the map but not in its way: the person's own marker may be below it. */
function EmptyFleet(): ReactNode {
  return (
    <section className={styles.empty} aria-label="Nog geen machines">
      <h2>Nog geen machines</h2>
      <p>Zodra je organisatie een machine heeft, verschijnt die hier vanzelf op de kaart.</p>
    </section>
  );
}

/** The answer, once asked for: coming back to the map asks nothing again. */
let asked: Promise<Position | undefined> | undefined;

function ask(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    // Absent on a page that came over plain http from another machine.
    if (!navigator.geolocation) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      (error) => {
        // biome-ignore lint/suspicious/noConsole: MAP-03, "an error is only logged"; a refusal is no fault.
        console.info(`No own position: ${error.message}`);
        resolve(undefined);
      },
    );
  });
}

/** Where the person is, asked of the browser once; undefined until known, or for good (MAP-03). */
function useOwnPosition(): Position | undefined {
  const [position, setPosition] = useState<Position>();
  useEffect(() => {
    let isHere = true;
    asked ??= ask();
    void asked.then((answer) => isHere && setPosition(answer));
    return () => {
      isHere = false;
    };
  }, []);
  return position;
}
