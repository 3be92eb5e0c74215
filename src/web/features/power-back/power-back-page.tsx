import { NativeSelect } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type ReactNode, useState } from 'react';
import { may } from '#shared/domain/access.ts';
import { MOSTLY_KNOWN } from '#shared/domain/figures.ts';
import { dateAndTime, kilowattHours, percent } from '#shared/domain/nl.ts';
import { isFaulty, type RangeFaults, rangeFaults } from '#shared/domain/time-range.ts';
import { DEFAULT_RANGE } from '#web/machines/default-range.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import {
  type Asked,
  type Stream,
  useLoggerStreams,
  useMachineStreams,
  usePowerBack,
} from './power-back-calls.ts';
import styles from './power-back-page.module.css';

const DAY_MS = 86_400_000;

/** /test: what a machine fed back into its batteries while it worked (TEST-01). */
export function PowerBackPage(): ReactNode {
  const user = useUser();
  const machines = useMachineStreams(may(user, 'see-machines'));
  const loggers = useLoggerStreams(may(user, 'see-loggers'));
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
        <p role="status" className={styles.quiet}>
          De machines worden geladen
        </p>
      )}
      {!isLoading && first && <Question first={first} groups={groups} />}
      {!isLoading && !first && !machines.error && !loggers.error && (
        <EmptyState title="Er zijn nog geen machines" />
      )}
    </Page>
  );
}

type QuestionProps = {
  readonly first: Stream;
  readonly groups: readonly { readonly label: string; readonly streams: readonly Stream[] }[];
};

function Question({ first, groups }: QuestionProps): ReactNode {
  const [typed, setTyped] = useState<Asked>({ id: first.id, ...DEFAULT_RANGE });
  const [asked, setAsked] = useState(typed);
  const [faults, setFaults] = useState<RangeFaults>({});
  const query = usePowerBack(asked);
  const { data, isFetching, refetch } = query;
  const change = (changes: Partial<Asked>): void => setTyped((before) => ({ ...before, ...changes }));
  const send = (): void => {
    // A day that is not over can be picked whole, as the server cuts it.
    const wrong = rangeFaults(typed, Date.now() + DAY_MS);
    setFaults(wrong);
    if (isFaulty(wrong) || isFetching) return;
    if (isSame(typed, asked)) void refetch();
    else setAsked(typed);
  };
  const named = groups.flatMap(({ streams }) => streams).find(({ id }) => id === data?.id);
  return (
    <>
      <fieldset className={styles.form}>
        <legend className="sr-only">Wat en wanneer</legend>
        <NativeSelect
          className={styles.wide!}
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
        <RangeFields range={typed} faults={faults} latest={Date.now()} onChange={change} />
        <BusyButton isBusy={isFetching} onClick={send}>
          Update Data
        </BusyButton>
      </fieldset>
      <RetryAlert query={query} fallback="De energie is niet geladen." />
      <Panel title="Teruggeleverd">
        <p role="status" className={styles.answer}>
          {data ? (
            <>
              <strong>{data.known === null ? '--' : kilowattHours(data.kWh, 2)}</strong>
              <span className={styles.quiet}>
                {named?.name ?? data.id}, van {dateAndTime(data.from)} tot {dateAndTime(data.to)}
              </span>
              <span className={styles.quiet}>{knownInWords(data.known)}</span>
            </>
          ) : (
            !query.error && 'Wordt berekend'
          )}
        </p>
        <p className={styles.quiet}>
          Wat terugkwam in de accu’s terwijl de machine niet aan de lader stond: bij remmen of dalen.
        </p>
      </Panel>
    </>
  );
}

/** What there is to say when not nearly all is known (docs/figures.md section 4). */
const knownInWords = (known: number | null): string | undefined => {
  if (known === null) return 'geen metingen';
  return known < MOSTLY_KNOWN ? `bekend over ${percent(known * 100)} van de tijd met gegevens` : undefined;
};

const isSame = (a: Asked, b: Asked): boolean => a.id === b.id && a.from === b.from && a.to === b.to;
