import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { plainNumber } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import {
  countsOf,
  type FleetFilter,
  filterFleet,
  filterOf,
  type Judged,
  judgeFleet,
  WHOLE_FLEET,
  withFilter,
} from '#web/machines/fleet-filter.ts';
import { LabelBar, useLabelFilter, useLabelled } from '#web/machines/label-bar.tsx';
import { ANY_LABEL, withLabelFilter } from '#web/machines/label-filter.ts';
import { StateStrip } from '#web/machines/state-strip.tsx';
import { useUser } from '#web/session/user.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchField } from '#web/ui/searched-list.tsx';
import { MachineCards } from './machine-cards.tsx';
import styles from './overview-page.module.css';

/** Ages are told in minutes. */
const CLOCK_STEP_MS = 10_000;

/** /overzicht: what is full, what will not last, what must be charged now. */
export function OverviewPage(): ReactNode {
  const [filter, setFilter] = useFilter();
  const now = useNow(CLOCK_STEP_MS);
  const fleet = useJudgedFleet(now);
  const asked = useDeferredValue(filter);
  const counts = useMemo(() => countsOf(fleet), [fleet]);
  const [limit, setLimit] = useLabelFilter();
  const found = useLabelled(
    useMemo(() => filterFleet(fleet, asked), [fleet, asked]),
    limit,
    serialOf,
  );
  if (fleet.length === 0) {
    return (
      <Page title="Overzicht" back="/">
        <EmptyState title="Nog geen machines">
          <p>Zodra je organisatie een machine heeft, staat die hier vanzelf.</p>
        </EmptyState>
      </Page>
    );
  }
  return (
    <div className={styles.document}>
      <Page title="Overzicht" back="/">
        <StateStrip
          counts={counts}
          state={filter.state}
          onChange={(state) => setFilter({ ...filter, state })}
        />
        <LabelBar filter={limit} onChange={setLimit} />
        <SearchField
          label="Zoek een machine"
          placeholder="Naam, model, nummer of logger"
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
          found={`${plainNumber(found.length)} van ${plainNumber(fleet.length)} machines`}
        />
        {found.length > 0 ? (
          <MachineCards rows={found} now={now} />
        ) : (
          <EmptyState title="Niets gevonden">
            <p>Geen enkele machine past hierbij.</p>
            <button type="button" className={styles.all} onClick={() => setFilter(WHOLE_FLEET)}>
              Toon alle machines
            </button>
          </EmptyState>
        )}
      </Page>
    </div>
  );
}

const serialOf = ({ entry }: Judged<LiveEntry>): string => entry.metadata.serialNumber;

/** What stands in the address; the whole fleet is that of all labels too. Typing replaces it: Back goes to the page before, not to the letter before. */
function useFilter(): [FleetFilter, (filter: FleetFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => filterOf(search), [search]);
  const set = (next: FleetFilter): void =>
    setSearch((now) => withFilter(next === WHOLE_FLEET ? withLabelFilter(now, ANY_LABEL) : now, next), {
      replace: true,
    });
  return [filter, set];
}

/** The machines as they are now; LMB loggers have neither battery nor work to tell of. */
function useJudgedFleet(now: number): readonly Judged<LiveEntry>[] {
  const entries = useDeferredValue(useFleet());
  const { role } = useUser();
  const [last] = useState<{ fleet: readonly Judged<LiveEntry>[] }>(() => ({ fleet: [] }));
  return useMemo(() => {
    const machines = entries.filter(({ metadata }) => metadata.kind === 'machine');
    // Of a kijker an organization may keep positions of some hours.
    last.fleet = judgeFleet(machines, now, { seesPositions: role !== 'kijker' }, last.fleet);
    return last.fleet;
  }, [entries, now, role, last]);
}
