import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import { BaseMap } from '#web/map/base-map.tsx';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { MachineMarkers } from '#web/map/machine-markers.tsx';
import { UserMarker } from '#web/map/user-marker.tsx';

import styles from './fleet-map-page.module.css';
import { MachinePopup } from './machine-popup.tsx';
import { NearbyPanel } from './nearby-panel.tsx';
import { useMapMachines } from './use-map-machines.ts';
import { useOwnPosition } from './use-own-position.ts';

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
          popup={open && <MachinePopup entry={open} now={now} />}
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

/** Over the map but not in its way: the person's own marker may be below it. */
function EmptyFleet(): ReactNode {
  return (
    <section className={styles.empty} aria-label="Nog geen machines">
      <h2>Nog geen machines</h2>
      <p>Zodra je organisatie een machine heeft, verschijnt die hier vanzelf op de kaart.</p>
    </section>
  );
}
