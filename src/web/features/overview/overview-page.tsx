import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { isActionAllowed } from '#shared/domain/access.ts';
import { needsFirstSteps } from '#shared/domain/first-steps.ts';
import { sortByName } from '#shared/domain/fleet-order.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import { useNow } from '#web/lib/now.ts';
import { useRestoredScroll } from '#web/lib/restored-scroll.ts';
import { useMedia } from '#web/lib/use-media.ts';
import { useFleet } from '#web/live/live.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { useFleetWithReasons } from '#web/machines/attention-reasons.ts';
import { type FirstSteps, useFirstSteps } from '#web/machines/first-steps.ts';
import { FirstStepsGuide } from '#web/machines/first-steps-guide.tsx';
import { useFleetFigures } from '#web/machines/fleet-figures.ts';
import {
  addFilterToSearch,
  countsOf,
  type FleetFilter,
  type FleetSort,
  filterFleet,
  fleetFilterOf,
  fleetWithStates,
  WHOLE_FLEET_FILTER,
} from '#web/machines/fleet-filter.ts';
import { LabelBar, useLabelFilter, useMachinesWithLabels } from '#web/machines/label-bar.tsx';
import { NO_LABEL_FILTER, withLabelFilter } from '#web/machines/label-filter.ts';
import { useLabels } from '#web/machines/labels.ts';
import { usePresentPlaceName } from '#web/machines/place-names.ts';
import { StateStrip } from '#web/machines/state-strip.tsx';
import { useUser } from '#web/session/user.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchField } from '#web/ui/searched-list.tsx';
import { columnsOf, withColumns } from './columns.ts';
import { CompareBar, CompareButton, CompareChoice } from './compare-choice.tsx';
import {
  COLUMN_KEYS,
  type ColumnKey,
  chargeLastsUntil,
  type FleetRow,
  type FleetRowContext,
  searchTextOf,
  sortRows,
  USUAL_SORT,
} from './fleet-row.ts';
import { MachineCards } from './machine-cards.tsx';
import { MachineTable } from './machine-table.tsx';
import styles from './overview-page.module.css';
import { ColumnChoice, OrderChoice } from './overview-tools.tsx';
import { useKnownPosition } from './own-position.ts';
import {
  ChargeReachFilter,
  chargeReachTimeOf,
  isNextDay,
  isUnknownIncluded,
  nextInstantOfClock,
  withChargeReachTime,
  withUnknownShown,
} from './reach-filter.tsx';
import { WallDisplay } from './wall.tsx';

/** Interval of the page's clock: short, so that the shown ages (whole minutes) change on time. */
const CLOCK_STEP_MS = 10_000;
/** Screens wide enough for a table, and for two cards beside each other. */
const WIDE = '(min-width: 80em)';
const MIDDLE = '(min-width: 48em)';

/** Page '/overzicht': the charge, the remaining work time and the reasons for attention of all machines. */
export const OverviewPage = (): ReactNode => (
  <CompareChoice>
    <Overview />
  </CompareChoice>
);

function Overview(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const changeSearch = useChangeSearchParams();
  const filter = useMemo(() => fleetFilterOf(search, COLUMN_KEYS), [search]);
  const change = (next: (now: FleetFilter) => Partial<FleetFilter>): void =>
    changeSearch((address) => {
      const now = fleetFilterOf(address, COLUMN_KEYS);
      return addFilterToSearch(address, { ...now, ...next(now) });
    });
  // Separate state, so that typed letters show at once, before the address changes.
  const [text, setText] = useState(filter.text);
  const isWide = useMedia(WIDE);
  const isMiddle = useMedia(MIDDLE);
  const now = useNow(CLOCK_STEP_MS);
  const figures = useFleetFigures();
  const fleet = useFleetWithReasons(useJudgedFleet(now));
  const counts = useMemo(() => countsOf(fleet), [fleet]);
  const own = useKnownPosition();
  const nameOf = usePresentPlaceName();
  const firstSteps = useFirstSteps();
  const known = useMemo<FleetRowContext>(
    () => ({ figures: figures.data, own, nameOf, now }),
    [figures.data, own, nameOf, now],
  );
  const asked = useDeferredValue(useMemo(() => ({ ...filter, text }), [filter, text]));
  const sort = asked.sort ?? USUAL_SORT;
  const [limit, setLimit] = useLabelFilter();
  const labels = useLabels();
  const found = useMachinesWithLabels(
    useMemo(
      () =>
        filterFleet(fleet, asked, (row) =>
          searchTextOf(
            row,
            { figures: figures.data, own, nameOf },
            labels.ofMachine(row.entry.metadata.serialNumber),
          ),
        ),
      [fleet, asked, figures.data, own, nameOf, labels],
    ),
    limit,
    serialOf,
  );
  const clock = chargeReachTimeOf(search);
  /** The next time at which the clock shows `clock`. Changes once a day, so that a tick of `now` does not filter the rows again. */
  const reachUntil = clock === '' ? undefined : nextInstantOfClock(clock, now);
  const isUnknownShown = isUnknownIncluded(search);
  const { rows, unknown } = useMemo(() => {
    const known = { figures: figures.data, own, nameOf };
    if (reachUntil === undefined) return { rows: sortRows(found, sort, known), unknown: 0 };
    const byReach = Map.groupBy(found, (row) => chargeLastsUntil(row, known, reachUntil));
    const unknown = byReach.get(undefined) ?? [];
    const shown = new Set([...(byReach.get(false) ?? []), ...(isUnknownShown ? unknown : [])]);
    return {
      rows: sortRows(
        found.filter((row) => shown.has(row)),
        sort,
        known,
      ),
      unknown: unknown.length,
    };
  }, [found, reachUntil, isUnknownShown, sort, figures.data, own, nameOf]);
  const columns = useMemo(
    () => columnsOf(search).filter((key) => key !== 'afstand' || own !== undefined),
    [search, own],
  );
  useRestoredScroll();
  if (fleet.length === 0) return <NoMachines firstSteps={firstSteps} />;
  const onSort = (sort: FleetSort): void => change(() => ({ sort }));
  const onColumn = (by: ColumnKey): void =>
    change(({ sort: last = USUAL_SORT }) => ({
      sort: { by, isDescending: last.by === by && !last.isDescending },
    }));
  const showAll = (): void => {
    setText('');
    changeSearch((now) => {
      const all = addFilterToSearch(withChargeReachTime(now, ''), {
        ...WHOLE_FLEET_FILTER,
        sort: filter.sort,
      });
      return withLabelFilter(all, NO_LABEL_FILTER);
    });
  };
  const leaveWall = (): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.delete('muur');
      return next;
    });
  return (
    <div className={styles.document}>
      <Page title="Overzicht" back="/">
        {search.has('muur') && <WallDisplay rows={rows} counts={counts} known={known} onLeave={leaveWall} />}
        {firstSteps && <FirstStepsGuide steps={firstSteps} />}
        <StateStrip counts={counts} state={filter.state} onChange={(state) => change(() => ({ state }))} />
        <LabelBar filter={limit} onChange={setLimit} />
        <div className={`${styles.tools} stack top mt-3 mb-3`}>
          <SearchField
            label="Zoek een machine"
            placeholder="Naam, nummer, label, project of plaats"
            value={text}
            onChange={(typed) => {
              setText(typed);
              change(() => ({ text: typed }));
            }}
            found={foundText(rows.length, fleet.length)}
          />
          <ChargeReachFilter
            clock={clock}
            isTomorrow={isNextDay(reachUntil, now)}
            onChange={(next) => changeSearch((before) => withChargeReachTime(before, next))}
            unknown={unknown}
            isUnknownShown={isUnknownShown}
            onShowUnknown={(isShown) => changeSearch((before) => withUnknownShown(before, isShown))}
          />
          {isWide ? (
            <ColumnChoice
              columns={columnsOf(search)}
              onChange={(next) => changeSearch((before) => withColumns(before, next))}
            />
          ) : (
            <OrderChoice sort={filter.sort ?? USUAL_SORT} onSort={onSort} />
          )}
          {fleet.length > 1 && <CompareButton />}
        </div>
        <RetryAlert query={figures} fallback="Werktijd en cijfers van vandaag zijn niet geladen." />
        {rows.length === 0 ? (
          <EmptyState title="Niets gevonden">
            <p>
              {reachUntil !== undefined && found.length > 0
                ? reachText(isNextDay(reachUntil, now) ? `morgen ${clock}` : clock, found.length, unknown)
                : 'Geen enkele machine past hierbij. Probeer minder woorden of een andere stand.'}
            </p>
            <Button variant="default" size="md" onClick={showAll}>
              Toon alle machines
            </Button>
          </EmptyState>
        ) : isWide ? (
          <MachineTable
            rows={rows}
            known={known}
            columns={columns}
            sort={filter.sort ?? USUAL_SORT}
            onColumn={onColumn}
          />
        ) : (
          <MachineCards rows={rows} known={known} across={isMiddle ? 2 : 1} />
        )}
        <CompareBar />
      </Page>
    </div>
  );
}

const serialOf = ({ entry }: FleetRow): string => entry.metadata.serialNumber;

/**
 * Shown if there are no machines: the first steps for users who create machines; for other users, that machines will
 * appear here.
 */
function NoMachines({ firstSteps }: { readonly firstSteps: FirstSteps | undefined }): ReactNode {
  const makesMachines = isActionAllowed(useUser(), 'manage-machines');
  const isWithoutSteps = !needsFirstSteps(useFleet());
  return (
    <Page title="Overzicht" back="/">
      {firstSteps && <FirstStepsGuide steps={firstSteps} />}
      <EmptyState title="Nog geen machines">
        {makesMachines ? (
          isWithoutSteps && <TextLink to="/machine/nieuw">Maak een machine</TextLink>
        ) : (
          <p>Zodra je organisatie een machine heeft, staat die hier vanzelf.</p>
        )}
      </EmptyState>
    </Page>
  );
}

/** Returns the text shown if the filter leaves no machines: how many machines' charge lasts until `moment`. */
function reachText(moment: string, machines: number, unknown: number): string {
  const all = `${formatNumber(machines - unknown)} van ${formatNumber(machines)} machines halen ${moment} zoals gewoonlijk.`;
  return unknown === 0 ? all : `${all} Van ${formatNumber(unknown)} is het niet bekend.`;
}

const foundText = (found: number, all: number): string => {
  const machines = `${formatNumber(all)} ${all === 1 ? 'machine' : 'machines'}`;
  return found === all ? machines : `${formatNumber(found)} van ${machines}`;
};

/** Returns the machines, sorted by name, with their present state; without LMB loggers, which have no batteries. */
function useJudgedFleet(now: number): readonly FleetRow[] {
  const entries = useDeferredValue(useFleet());
  const { role } = useUser();
  const [last] = useState<{ named: readonly FleetEntry[]; fleet: readonly FleetRow[] }>(() => ({
    named: [],
    fleet: [],
  }));
  const named = useMemo(() => {
    last.named = sortByName(
      entries.filter(({ metadata }) => metadata.kind === 'machine'),
      last.named,
    );
    return last.named;
  }, [entries, last]);
  return useMemo(() => {
    // A missing position is no reason for attention for a kijker, from whom an organization may hide the positions of
    // some hours.
    last.fleet = fleetWithStates(named, now, { seesPositions: role !== 'kijker' }, last.fleet);
    return last.fleet;
  }, [named, now, role, last]);
}
