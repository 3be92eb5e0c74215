import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/Input.css';
import { type ReactNode, useState } from 'react';
import type { Api } from '#shared/contract/api.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { MIN_UNMARKED_KNOWN_SHARE } from '#shared/domain/figures.ts';
import { formatKilowattHours, formatPercent } from '#shared/domain/nl.ts';
import { hasTimeRangeErrors, type RangeErrors, rangeErrors } from '#shared/domain/time-range.ts';
import { DEFAULT_RANGE } from '#web/machines/default-range.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { DayBars } from '#web/ui/day-bars.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import styles from './power-back-page.module.css';

/** A machine or LMB logger that may feed back energy. `id`: serial number or loggerid. */
type Stream = { readonly id: string; readonly name: string; readonly owner: string };
/** A stream and a range in Unix milliseconds. */
type PowerBackQuery = { readonly id: string; readonly from: number; readonly to: number };

const DAY_MS = 86_400_000;
/** The chart shows at most this many days, because more bars are too narrow to read. */
const MAX_DAYS = 62;

/** Page '/test': the energy that a machine fed back into its batteries while it worked (TEST-01). */
export function PowerBackPage(): ReactNode {
  const user = useUser();
  const machines = useQuery({
    ...readQuery('GET /api/machine/get/all'),
    enabled: isActionAllowed(user, 'see-machines'),
    select: (all): Stream[] =>
      all.map(({ serialNumber, brand, model, alias, cleanorg }) => ({
        id: serialNumber,
        name: `${alias} (${brand} ${model})`,
        owner: cleanorg,
      })),
  });
  const loggers = useQuery({
    ...readQuery('GET /api/berend/get'),
    enabled: isActionAllowed(user, 'see-loggers'),
    select: (all): Stream[] =>
      all.map(({ loggerid, alias, cleanorg }) => ({ id: loggerid, name: alias, owner: cleanorg })),
  });
  const groups = [
    { label: 'Machines', streams: machines.data ?? [] },
    { label: 'LMB Logging', streams: loggers.data ?? [] },
  ].filter(({ streams }) => streams.length > 0);
  const first = groups[0]?.streams[0];
  const isLoading = machines.isLoading || loggers.isLoading;
  return (
    <Page title="Teruggeleverde energie" back="/">
      <RetryAlert query={machines} fallback="De machines zijn niet geladen." />
      <RetryAlert query={loggers} fallback="De loggers zijn niet geladen." />
      {isLoading && (
        <p role="status" className="my-4 quiet">
          De machines worden geladen
        </p>
      )}
      {!isLoading && first && <PowerBackForm first={first} groups={groups} />}
      {!isLoading && !first && !machines.error && !loggers.error && (
        <EmptyState title="Er zijn nog geen machines" />
      )}
    </Page>
  );
}

type PowerBackFormProps = {
  readonly first: Stream;
  readonly groups: readonly { readonly label: string; readonly streams: readonly Stream[] }[];
};

function PowerBackForm({ first, groups }: PowerBackFormProps): ReactNode {
  const [typed, setTyped] = useState<PowerBackQuery>({ id: first.id, ...DEFAULT_RANGE });
  const [asked, setAsked] = useState(typed);
  const [errors, setErrors] = useState<RangeErrors>({});
  const query = useQuery({
    ...readQuery('GET /api/influx/powerback/:id', {
      params: { id: asked.id },
      query: { start: new Date(asked.from).toISOString(), stop: new Date(asked.to).toISOString() },
    }),
    refetchOnWindowFocus: false,
  });
  const { data, isFetching, refetch } = query;
  const change = (changes: Partial<PowerBackQuery>): void =>
    setTyped((before) => ({ ...before, ...changes }));
  const send = (): void => {
    // Users may pick the whole present day, because the server ends the range at the present.
    const wrong = rangeErrors(typed, Date.now() + DAY_MS);
    setErrors(wrong);
    if (hasTimeRangeErrors(wrong) || isFetching) return;
    if (isSame(typed, asked)) void refetch();
    else setAsked(typed);
  };
  return (
    <>
      <fieldset className={`${styles.form} stack mb-4`}>
        <legend className="sr-only">Wat en wanneer</legend>
        <NativeSelect
          className={styles.wide}
          label="Machine of logger"
          size="md"
          value={typed.id}
          onChange={({ currentTarget }) => change({ id: currentTarget.value })}
        >
          {groups.map(({ label, streams }) => (
            <optgroup key={label} label={label}>
              {streams.map(({ id, name, owner }) => (
                <option key={id} value={id}>
                  {name}, #{id}, {owner}
                </option>
              ))}
            </optgroup>
          ))}
        </NativeSelect>
        <RangeFields range={typed} errors={errors} latest={Date.now()} onChange={change} />
        <BusyButton isBusy={isFetching} onClick={send}>
          Update Data
        </BusyButton>
      </fieldset>
      <RetryAlert query={query} fallback="De energie is niet geladen." />
      <Panel title="Teruggeleverd">
        <div role="status" className={`${styles.answer} stack gap-1`}>
          {/* Shown instead of the result of an earlier choice. */}
          {!isSame(typed, asked) && <p className="quiet">Kies ‘Update Data’ voor deze keuze.</p>}
          {isSame(typed, asked) && (data ? <Answer data={data} /> : !query.error && 'Wordt berekend')}
        </div>
        <p className="quiet">
          Wat terugkwam in de accu’s terwijl de machine niet aan de lader stond: bij remmen of dalen.
        </p>
      </Panel>
    </>
  );
}

type PowerBack = CallOutput<Api['GET /api/influx/powerback/:id']>;

function Answer({ data: { kWh, known, days } }: { readonly data: PowerBack }): ReactNode {
  // 0 is meaningless for a machine that does not measure the current (docs/figures.md section 4).
  if (known === null) return <strong>geen metingen</strong>;
  const measured = days.filter((day) => day.known !== null);
  return (
    <>
      <strong>{formatKilowattHours(kWh, 2)}</strong>
      {known < MIN_UNMARKED_KNOWN_SHARE && (
        <span className="quiet">bekend over {formatPercent(known * 100)} van de tijd met gegevens</span>
      )}
      {measured.length > 1 && measured.length <= MAX_DAYS && (
        <DayBars
          label="Teruggeleverd per dag"
          bars={measured.map((day) => ({
            day: day.date,
            value: day.kWh,
            text: formatKilowattHours(day.kWh, 2),
          }))}
        />
      )}
    </>
  );
}

const isSame = (a: PowerBackQuery, b: PowerBackQuery): boolean =>
  a.id === b.id && a.from === b.from && a.to === b.to;
