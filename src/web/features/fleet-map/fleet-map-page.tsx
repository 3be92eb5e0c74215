import {
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSearchParams } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import { useNow } from '#web/lib/now.ts';
import { remPx } from '#web/lib/rem.ts';
import { useMedia } from '#web/lib/use-media.ts';
import { useFleet } from '#web/live/live.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { useFleetWithReasons } from '#web/machines/attention-reasons.ts';
import { useFirstSteps } from '#web/machines/first-steps.ts';
import { FirstStepsGuide } from '#web/machines/first-steps-guide.tsx';
import {
  addFilterToSearch,
  countsOf,
  filterFleet,
  fleetFilterOf,
  fleetWithStates,
  type MachineWithState,
  type StripState,
} from '#web/machines/fleet-filter.ts';
import { LabelBar, useLabelFilter, useMachinesWithLabels } from '#web/machines/label-bar.tsx';
import { machineOrLoggerPath } from '#web/machines/page-path.ts';
import { StateStrip } from '#web/machines/state-strip.tsx';
import { AreaShapes } from '#web/map/area-shapes.tsx';
import { BaseMap } from '#web/map/base-map.tsx';
import { type Size, withoutFarAway } from '#web/map/fitting-view.ts';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { MachineMarkers, type OpenedPopup } from '#web/map/machine-markers.tsx';
import type { MapMachine } from '#web/map/map-machine.ts';
import { SyncMapView, useFitMap, useWasMapTouched } from '#web/map/map-movement.ts';
import { PointMarker } from '#web/map/point-marker.tsx';
import { useUser } from '#web/session/user.ts';
import styles from './fleet-map-page.module.css';
import { MachinePopup } from './machine-popup.tsx';
import { attentionOnMap, useMapMachines } from './map-machines.ts';
import { NearbyPanel } from './nearby-panel.tsx';
import {
  countFarAway,
  fleetInsets,
  OPENING_ZOOM,
  openingView,
  USER_IN_VIEW_WITHIN_METRES,
  WHOLE_COUNTRY,
} from './opening-view.ts';
import type { NearbyOrigin } from './origin.ts';
import { SpotPopup } from './spot-popup.tsx';
import { useMapState } from './use-map-state.ts';
import { useNearby } from './use-nearby.ts';

/** Screens on which the panel of nearby machines is a handle at the bottom. The style sheets contain the same width. */
const SMALL_SCREEN = '(max-width: 47.99em)';

/** Interval of the page's clock: short, because the page shows ages in whole minutes. */
const CLOCK_STEP_MS = 10_000;

/** Home page: a live map of all machines of the user (MAP-01). */
export function FleetMapPage(): ReactNode {
  const fleet = useFleet();
  const now = useNow(CLOCK_STEP_MS);
  const { own, isRefused, share } = useOwnPosition();
  const { shown, strip, attention } = useStrip(fleet, now);
  const machines = useMapMachines(shown, now, attention);
  const small = useMedia(SMALL_SCREEN);
  const [expanded, setExpanded] = useState(false);
  const firstSteps = useFirstSteps();
  const nearby = useNearby({ fleet, shown, own, now, isOpen: !small || expanded });
  const [leftOut, setLeftOut] = useState(() => countFarAway(positionsOf(fleet)));
  const { view, layer, opened, isGivenView, change } = useMapState((linked) => {
    const places = positionsOf(fleet);
    const ofMachine =
      linked?.kind === 'machine' && fleet.find(({ metadata }) => serialIs(metadata, linked.id));
    const at = ofMachine ? positionOf(ofMachine.liveData) : undefined;
    return openingView(places, at, mapSize(), fleetInsets(small, remPx()));
  });
  const [isFollowing, setFollowing] = useState(!isGivenView);
  const setOpened = (next: OpenedPopup | undefined): void => {
    setFollowing(true);
    change({ opened: next });
  };
  const canFollow = opened?.kind === 'machine' && !isFollowing && machines.some(({ id }) => id === opened.id);

  function machinePopup(machine: MapMachine, atSpot: readonly MapMachine[]): ReactNode {
    const entry = fleet.find(({ metadata }) => metadata.serialNumber === machine.id);
    const { lat, lon } = machine;
    return (
      entry && (
        <MachinePopup
          entry={entry}
          to={machineOrLoggerPath(entry.metadata, fleet)}
          now={now}
          atSpot={atSpot.length}
          onShowSpot={() => setOpened({ kind: 'spot', at: { lat, lon } })}
        />
      )
    );
  }

  return (
    <div className={styles.page}>
      <h1 className="sr-only">Kaart</h1>
      <LeafletMap
        centre={view.centre}
        zoom={view.zoom}
        label="Kaart met machines"
        interactive={!(small && expanded)}
      >
        <SyncMapView
          at={view}
          onMoved={(moved) => {
            setLeftOut(0);
            change({ view: moved });
          }}
        />
        <OpenOnFleet
          machines={machines}
          own={own}
          isEmpty={view === WHOLE_COUNTRY}
          isGivenView={isGivenView || opened !== undefined}
          small={small}
        />
        <BaseMap
          chosen={{ layer, onChange: (chosen) => change({ layer: chosen }) }}
          above={strip}
          beside={
            <>
              <ShowAll
                machines={machines}
                leftOut={leftOut}
                small={small}
                onShow={() => setFollowing(false)}
              />
              {canFollow && (
                <button
                  type="button"
                  className="raised touch px-2 smaller"
                  onClick={() => setFollowing(true)}
                >
                  Volg
                </button>
              )}
            </>
          }
        />
        {own && <UserMarker at={own} />}
        {nearby.origin && <OriginMarker origin={nearby.origin} />}
        <MachineMarkers
          machines={machines}
          opened={opened}
          onOpenedChange={setOpened}
          follow={{ isOn: isFollowing, onStop: () => setFollowing(false) }}
          machinePopup={machinePopup}
          spotPopup={(atSpot) => (
            <SpotPopup
              entries={entriesOf(atSpot, fleet)}
              now={now}
              onChoose={(id) => setOpened({ kind: 'machine', id })}
            />
          )}
        />
        {firstSteps
          ? // Hidden on a small screen while the list of nearby machines is open, because the list would cover the guide.
            !(small && expanded) && (
              <FirstStepsGuide isOverMap steps={firstSteps} isOpen={!small || fleet.length === 0} />
            )
          : fleet.length === 0 && <EmptyFleet />}
        {fleet.length > 0 && (
          <NearbyPanel
            nearby={nearby}
            fleet={fleet}
            own={own}
            isRefused={isRefused}
            onShare={share}
            now={now}
            small={small}
            expanded={expanded}
            onExpandedChange={setExpanded}
            onOpenChange={(id) => setOpened(id === undefined ? undefined : { kind: 'machine', id })}
          />
        )}
      </LeafletMap>
    </div>
  );
}

/** Returns the bar of filters by state and label, as in the overview, and the machines that pass the filters. */
function useStrip(fleet: readonly FleetEntry[], now: number) {
  const [search] = useSearchParams();
  const changeSearch = useChangeSearchParams();
  const { role } = useUser();
  const [last] = useState<{ judged: readonly MachineWithState<FleetEntry>[] }>(() => ({ judged: [] }));
  // Deferred, so that the markers appear before the states of ten thousand machines are computed again.
  const settled = useDeferredValue(fleet);
  const judgedLive = useMemo(() => {
    last.judged = fleetWithStates(settled, now, { seesPositions: role !== 'kijker' }, last.judged);
    return last.judged;
  }, [settled, now, role, last]);
  const judged = useFleetWithReasons(judgedLive);
  const attention = useMemo(() => attentionOnMap(judged), [judged]);
  const counts = useMemo(() => countsOf(judged), [judged]);
  const { state } = fleetFilterOf(search);
  const ofState = useMemo(
    () => (state ? filterFleet(judged, { state, text: '' }).map(({ entry }) => entry) : fleet),
    [state, judged, fleet],
  );
  const [limit, setLimit] = useLabelFilter();
  const shown = useMachinesWithLabels(ofState, limit, serialOf);
  const choose = (chosen: StripState | undefined): void =>
    changeSearch((before) => addFilterToSearch(before, { ...fleetFilterOf(before), state: chosen }));
  const strip = fleet.length > 1 && (
    <div className={`${styles.strip} raised p-1`}>
      <StateStrip counts={counts} state={state} onChange={choose} />
      <LabelBar isTight filter={limit} onChange={setLimit} />
    </div>
  );
  return { shown, strip, attention };
}

const serialOf = ({ metadata }: LiveEntry): string => metadata.serialNumber;

/** Returns the live entries of these machines, in the order of `fleet`. */
function entriesOf(machines: readonly MapMachine[], fleet: readonly LiveEntry[]): LiveEntry[] {
  const ids = new Set(machines.map(({ id }) => id));
  return fleet.filter(({ metadata }) => ids.has(metadata.serialNumber));
}

const positionsOf = (fleet: readonly LiveEntry[]): Position[] =>
  fleet.flatMap(({ liveData }) => positionOf(liveData) ?? []);

/** Compares a serial number without case, because a user may have typed the address. */
const serialIs = ({ serialNumber }: LiveEntry['metadata'], id: string): boolean =>
  serialNumber.toLowerCase() === id.toLowerCase();

const HEADER_REM = 3.5;

/** Returns the size that the map will have: the window below the header, in px. */
const mapSize = (): Size => ({
  width: window.innerWidth,
  height: window.innerHeight - HEADER_REM * remPx(),
});

type ShowAllProps = {
  readonly machines: readonly MapMachine[];
  /** Number of machines that are outside the part of the map that is shown first. */
  readonly leftOut: number;
  readonly small: boolean;
  readonly onShow: () => void;
};

/** Button that fits the view to all machines. */
function ShowAll({ machines, leftOut, small, onShow }: ShowAllProps): ReactNode {
  const showTogether = useFitMap();
  if (machines.length === 0) return null;
  const show = (): void => {
    onShow();
    showTogether(machines, fleetInsets(small, remPx()));
  };
  return (
    <button type="button" className="raised touch px-2 smaller" onClick={show}>
      Toon alle machines
      {leftOut > 0 && <span className="block strong">{formatNumber(leftOut)} ver weg, buiten beeld</span>}
    </button>
  );
}

type OpenOnFleetProps = {
  readonly machines: readonly MapMachine[];
  /** The user's own position; undefined while it is unknown. */
  readonly own: Position | undefined;
  /** Whether no machine had a position when the map opened. */
  readonly isEmpty: boolean;
  /** Whether the page's address contains the view of the map or a machine. */
  readonly isGivenView: boolean;
  readonly small: boolean;
};

/**
 * Fits the map to the fleet, unless the user has moved the map: when the first machine position arrives, and when the
 * user's own position arrives if a machine is within USER_IN_VIEW_WITHIN_METRES of it. The view then includes the
 * user's position.
 */
function OpenOnFleet({ machines, own, isEmpty, isGivenView, small }: OpenOnFleetProps): undefined {
  const showTogether = useFitMap();
  const isTouched = useWasMapTouched();
  const isOver = useRef(isGivenView);
  const hasMachines = machines.length > 0;
  const show = useEffectEvent(() => {
    if (isOver.current || isTouched() || !hasMachines) return;
    const isNear =
      own && machines.some((machine) => distanceMetres(machine, own) < USER_IN_VIEW_WITHIN_METRES);
    if (!isNear && !isEmpty) return;
    isOver.current = own !== undefined;
    showTogether(
      [...withoutFarAway(machines), ...(isNear ? [own] : [])],
      fleetInsets(small, remPx()),
      OPENING_ZOOM,
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dependencies are what changes the fitted view.
  useEffect(() => show(), [hasMachines, own]);
}

/** Marks on the map the place from which the distances to nearby machines are measured. */
function OriginMarker({ origin: { at, name, areas, sort } }: { readonly origin: NearbyOrigin }): ReactNode {
  if (areas) return <AreaShapes areas={areas} kind="own" />;
  if (sort === 'Machine') return null;
  return <PointMarker at={at} kind="moment" label={`Vanaf ${name}`} />;
}

/** Text that MAP-03 prescribes. */
const YOU = 'You are here';

/** The user's own position: a blue dot with a popup (MAP-03). */
const UserMarker = ({ at }: { readonly at: Position }): ReactNode => (
  <PointMarker at={at} kind="user" label={YOU}>
    <p className="pr-8 strong">{YOU}</p>
  </PointMarker>
);

/** Message on a map without machines. Users who may make machines see how to start instead of this message. */
function EmptyFleet(): ReactNode {
  if (isActionAllowed(useUser(), 'manage-machines')) return null;
  return (
    <section className={`${styles.empty} raised py-3 px-4 centred`} aria-label="Nog geen machines">
      <h2 className="medium">Nog geen machines</h2>
      <p className="small quiet">
        Zodra je organisatie een machine heeft, verschijnt die hier vanzelf op de kaart.
      </p>
    </section>
  );
}

/** The browser's response to the request for the user's position. Kept, so that the portal does not ask again on a return to the map. */
let positionRequest: Promise<Position | undefined> | undefined;

function requestPosition(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    // Browsers have no geolocation on a page that was loaded over plain http.
    if (!navigator.geolocation) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      (error) => {
        // biome-ignore lint/suspicious/noConsole: MAP-03, "an error is only logged"; a refusal is no error.
        console.info(`The browser gave no position: ${error.message}`);
        resolve(undefined);
      },
    );
  });
}

type OwnPosition = {
  /** The user's position; undefined until the browser gives it, which may never happen. */
  readonly own: Position | undefined;
  /** Whether the browser refused the position after the user pressed the button that asks for it. */
  readonly isRefused: boolean;
  readonly share: () => void;
};

/** Returns the user's position. The browser is asked for it once (MAP-03), and again when the user presses the button. */
function useOwnPosition(): OwnPosition {
  const [own, setOwn] = useState<Position>();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    let isHere = true;
    positionRequest ??= requestPosition();
    void positionRequest.then((answer) => isHere && setOwn(answer));
    return () => {
      isHere = false;
    };
  }, []);
  function share(): void {
    positionRequest = requestPosition();
    void positionRequest.then((answer) => {
      setOwn(answer);
      setRefused(answer === undefined);
    });
  }
  return { own, isRefused, share };
}
