import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/Input.css';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { MaintenanceItem, MaintenanceList } from '#shared/contract/fleet-maintenance.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { useRestoredScroll } from '#web/lib/restored-scroll.ts';
import { useMedia } from '#web/lib/use-media.ts';
import { LabelBar, useLabelFilter } from '#web/machines/label-bar.tsx';
import {
  isLabelFilterActive,
  type LabelFilter,
  NO_LABEL_FILTER,
  withLabelFilter,
} from '#web/machines/label-filter.ts';
import { DoneDialog } from '#web/machines/maintenance-done.tsx';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { PickButtons } from '#web/ui/pick-buttons.tsx';
import { SearchField } from '#web/ui/searched-list.tsx';
import { MaintenanceCards, MaintenanceTable } from './maintenance-list.tsx';
import styles from './maintenance-page.module.css';
import { maintenanceFilePath, maintenanceQueryOf } from './maintenance-query.ts';
import { MAINTENANCE_FILTER_OPTIONS, MAINTENANCE_SORT_OPTIONS } from './maintenance-text.ts';
import { type MaintenanceView, maintenanceViewOf, withView } from './maintenance-view.ts';

/** From this width the tasks fit in a table. */
const WIDE = '(min-width: 64em)';
/** Rows that are shown at first, and that the button adds. */
const PORTION = 100;
const EVERY_MS = 5 * 60_000;

/** Page '/onderhoud': the maintenance of all machines, by default in the order of becoming due. */
export function MaintenancePage(): ReactNode {
  const user = useUser();
  const mayManage = isActionAllowed(user, 'manage-maintenance');
  const [search, setSearch] = useSearchParams();
  const view = maintenanceViewOf(search);
  const [text, setText] = useState(view.text);
  const [filter, setFilter] = useLabelFilter();
  const query = useQuery({
    ...readQuery('GET /api/maintenance/list', { query: maintenanceQueryOf(view, filter) }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  const [note, setNote] = useState<string>();
  const [done, setDone] = useState<MaintenanceItem>();
  useRestoredScroll(query.data !== undefined);
  const change = (next: Partial<MaintenanceView>): void =>
    // The function form is needed, because the address may be newer than the rendered view.
    setSearch((now) => withView(now, { ...maintenanceViewOf(now), ...next }), {
      replace: true,
      preventScrollReset: true,
    });
  const showAll = (): void => {
    setText('');
    setSearch(
      (now) =>
        withLabelFilter(
          withView(now, { ...maintenanceViewOf(now), show: 'all', project: undefined, text: '' }),
          NO_LABEL_FILTER,
        ),
      { replace: true },
    );
  };
  const { data } = query;
  return (
    <div className={styles.document}>
      <Page title="Onderhoud" back="/" action={<TextLink to="/onderhoud/sjablonen">Sjablonen</TextLink>}>
        <OutcomeNotice note={note} />
        <Filters
          {...{ view, filter, text, counts: data?.counts, onChange: change, onFilter: setFilter }}
          onText={setText}
        />
        <RetryAlert query={query} fallback="Het onderhoud is niet geladen." />
        {!data && !query.error && <CardSkeletons />}
        {data && (
          <div aria-busy={query.isPlaceholderData} className={styles.answer}>
            {data.items.length === 0 ? (
              <NothingThere
                view={view}
                isLimitedByLabels={isLabelFilterActive(filter)}
                mayManage={mayManage}
                onShowAll={showAll}
              />
            ) : (
              <>
                <Items list={data} view={view} onDone={mayManage ? setDone : undefined} />
                {isActionAllowed(user, 'make-reports') && <Files view={view} filter={filter} />}
              </>
            )}
          </div>
        )}
        {done && (
          <DoneDialog
            plan={done}
            hours={done.hours}
            machine={`${done.alias} (${done.serial})`}
            onSaved={(message) => {
              setNote(`${done.alias}, ${done.planName}: ${message}`);
              setDone(undefined);
            }}
            onClose={() => setDone(undefined)}
          />
        )}
      </Page>
    </div>
  );
}

type FiltersProps = {
  readonly view: MaintenanceView;
  readonly filter: LabelFilter;
  readonly text: string;
  readonly counts: MaintenanceList['counts'] | undefined;
  readonly onChange: (next: Partial<MaintenanceView>) => void;
  readonly onFilter: (filter: LabelFilter) => void;
  readonly onText: (text: string) => void;
};

function Filters({ view, filter, text, counts, onChange, onFilter, onText }: FiltersProps): ReactNode {
  const projects = useQuery(readQuery('GET /api/project/get')).data ?? [];
  const isWide = useMedia(WIDE);
  return (
    <search aria-label="Kies welk onderhoud" className="stack mb-4">
      <PickButtons
        legend="Toon"
        options={MAINTENANCE_FILTER_OPTIONS.map(({ value, label }) => ({
          label: counts ? `${label} (${formatNumber(counts[value])})` : label,
          isPicked: view.show === value,
          onPick: () => onChange({ show: value }),
        }))}
      />
      <LabelBar filter={filter} onChange={onFilter} isTight={!isWide} />
      <div className={`${styles.tools} halves top`}>
        <SearchField
          label="Zoek onderhoud"
          placeholder="Machine, merk, model of onderhoud"
          value={text}
          onChange={(typed) => {
            onText(typed);
            onChange({ text: typed.slice(0, 200) });
          }}
          found={counts && `${formatNumber(counts[view.show])} ${counts[view.show] === 1 ? 'taak' : 'taken'}`}
        />
        {(projects.length > 0 || view.project !== undefined) && (
          <NativeSelect
            size="md"
            aria-label="Project"
            value={view.project === undefined ? '' : String(view.project)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ project: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">Alle projecten</option>
            {projects.map(({ _id, projectName }) => (
              <option key={_id} value={_id}>
                {projectName}
              </option>
            ))}
          </NativeSelect>
        )}
        <NativeSelect
          size="md"
          aria-label="Volgorde"
          value={view.sort}
          onChange={({ currentTarget: { value } }) => onChange({ sort: value as MaintenanceView['sort'] })}
        >
          {MAINTENANCE_SORT_OPTIONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </div>
    </search>
  );
}

const FILES = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
] as const;

const Files = ({
  view,
  filter,
}: {
  readonly view: MaintenanceView;
  readonly filter: LabelFilter;
}): ReactNode => (
  <div className="cluster gap-3 stretch mt-4">
    {FILES.map(([format, label]) => (
      <Button
        key={format}
        component="a"
        href={maintenanceFilePath(view, filter, format)}
        download
        variant="default"
        size="md"
      >
        {label}
      </Button>
    ))}
  </div>
);

type ItemsProps = {
  readonly list: MaintenanceList;
  readonly view: MaintenanceView;
  /** Undefined if the user may not record maintenance. */
  readonly onDone: ((item: MaintenanceItem) => void) | undefined;
};

function Items({ list: { items, isCut, counts }, view, onDone }: ItemsProps): ReactNode {
  const isWide = useMedia(WIDE);
  const [most, setMost] = useState(PORTION);
  const shown = items.slice(0, most);
  return (
    <>
      {isWide ? (
        <MaintenanceTable items={shown} onDone={onDone} />
      ) : (
        <MaintenanceCards items={shown} onDone={onDone} />
      )}
      {items.length > most && (
        <Button variant="default" size="md" mt="md" onClick={() => setMost(most + PORTION)}>
          Toon meer
        </Button>
      )}
      {isCut && items.length <= most && (
        <p className="mt-3 quiet">
          Hier staan de eerste {formatNumber(items.length)} van {formatNumber(counts[view.show])} taken. Kies
          minder, of neem het bestand: dat heeft ze alle.
        </p>
      )}
    </>
  );
}

type NothingThereProps = {
  readonly view: MaintenanceView;
  readonly isLimitedByLabels: boolean;
  readonly mayManage: boolean;
  readonly onShowAll: () => void;
};

function NothingThere({ view, isLimitedByLabels, mayManage, onShowAll }: NothingThereProps): ReactNode {
  const { show, project, text } = view;
  if (show === 'all' && project === undefined && text === '' && !isLimitedByLabels)
    return (
      <EmptyState title="Nog geen onderhoud">
        <p>
          Wat elke zoveel draaiuren of maanden aan machines moet gebeuren, staat hier met wanneer het nodig
          is.
        </p>
        {mayManage && <TextLink to="/onderhoud/sjablonen">Maak een sjabloon voor een model</TextLink>}
      </EmptyState>
    );
  const title = { due: 'Nu is niets nodig', soon: 'Binnenkort is niets nodig', all: 'Niets gevonden' }[show];
  return (
    <EmptyState title={title}>
      <Button variant="default" size="md" onClick={onShowAll}>
        Toon al het onderhoud
      </Button>
    </EmptyState>
  );
}
