import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isActionAllowed } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { hasTimeRangeErrors, rangeOfDay, type TimeRange } from '#shared/domain/time-range.ts';
import { ApiError } from '#web/lib/api.ts';
import { useNow } from '#web/lib/now.ts';
import { DEFAULT_RANGE } from '#web/machines/default-range.ts';
import { LmbLoggerStatus } from '#web/machines/logger-now.tsx';
import { areRangesAlike, yesterdayOf } from '#web/machines/range-address.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { PickButtons } from '#web/ui/pick-buttons.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import styles from './lmb-logger-page.module.css';
import { LoggerHistory } from './logger-history.tsx';
import { useRailData } from './rail-queries.ts';
import { railRangeErrors, useRailView } from './rail-view.ts';

const LIST = '/lmb-logging/';

/** Interval of the page's clock: short, so that the shown ages (whole minutes) change on time. */
const CLOCK_STEP_MS = 10_000;

type LmbLoggerPageProps = {
  readonly alias: string;
  /** Functional name of the organization, needed if several organizations have a logger with this alias. */
  readonly organization: string | undefined;
  /** Returns the part of the page that an administrator sees below the history of the logger. */
  readonly below?: (loggerid: string) => ReactNode;
};

/** Page '/lmb-logging/{alias}': the history of an LMB logger (LOG-03 to LOG-06). */
export function LmbLoggerPage({ alias, organization, below }: LmbLoggerPageProps): ReactNode {
  const logger = useQuery(readQuery('GET /api/berend/get/one', { query: { alias, organization } }));
  const mayRead = isActionAllowed(useUser(), 'see-log');
  const now = useNow(CLOCK_STEP_MS);
  const { data, error } = logger;
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <NotFound what="Deze machine" to={LIST} way="Naar de machines">
        Er is geen machine met de naam {alias}, of je mag die niet zien.
      </NotFound>
    );
  }
  const logOf = `/logboek?machine=${encodeURIComponent(data?.loggerid ?? '')}`;
  return (
    <Page title={alias} back={LIST} action={data && mayRead && <TextLink to={logOf}>Logboek</TextLink>}>
      <RetryAlert query={logger} fallback="De machine is niet geladen." />
      {data && (
        <>
          <div className={`${styles.identity} stack gap-1`}>
            <p>
              #{data.loggerid} · {data.cleanorg}
            </p>
            <LmbLoggerStatus loggerid={data.loggerid} now={now} />
          </div>
          <History key={data.loggerid} loggerid={data.loggerid} alias={data.alias} />
          {below && <div className="stack gap-4 mt-8">{below(data.loggerid)}</div>}
        </>
      )}
    </Page>
  );
}

function History({ loggerid, alias }: { readonly loggerid: string; readonly alias: string }): ReactNode {
  const { picked, moment, pick, setMoment } = useRailView();
  const [points] = useState(bucketsOfScreen);
  const query = useRailData(loggerid, picked, points);
  const { data: answer, isFetching, refetch } = query;
  const shown = picked ?? answer?.range ?? DEFAULT_RANGE;
  const update = (range: TimeRange): void => {
    if (picked && range.from === picked.from && range.to === picked.to) void refetch();
    else pick(range);
  };
  const showDay = (date: string): void => {
    const day = rangeOfDay(date, Date.now());
    if (day) update(day);
  };
  return (
    <div className="stack gap-4">
      <DayButtons shown={shown} lastDay={answer?.lastDay ?? null} onDay={showDay} />
      <RangeForm key={`form ${shown.from} ${shown.to}`} range={shown} isBusy={isFetching} onUpdate={update} />
      <RetryAlert query={query} fallback="De gegevens zijn niet geladen." />
      {!answer && isFetching && (
        <div role="status" className={styles.loading}>
          <span className="sr-only">De gegevens worden geladen</span>
        </div>
      )}
      {answer && (
        <LoggerHistory
          key={`shown ${answer.range.from} ${answer.range.to}`}
          loggerid={loggerid}
          alias={alias}
          answer={answer}
          points={points}
          moment={moment}
          onMoment={setMoment}
          onDay={showDay}
        />
      )}
    </div>
  );
}

/** Maximum width of the page. */
const WIDEST_PX = 960;

/** Returns for how many buckets of time the screen has pixels. A bucket gives two points: its lowest and its highest speed. */
const bucketsOfScreen = (): number =>
  Math.max(100, Math.floor((Math.min(WIDEST_PX, window.innerWidth) * devicePixelRatio) / 2));

type DayButtonsProps = {
  readonly shown: TimeRange;
  /** The last day with data, 'YYYY-MM-DD'; null if the logger never reported, or while the day is not loaded. */
  readonly lastDay: string | null;
  readonly onDay: (date: string) => void;
};

/** Buttons that pick a day. */
function DayButtons({ shown, lastDay, onDay }: DayButtonsProps): ReactNode {
  const now = Date.now();
  const days = [
    { label: 'Vandaag', date: amsterdamDay(now) },
    { label: 'Gisteren', date: yesterdayOf(now) },
    ...(lastDay === null ? [] : [{ label: 'Laatste dag met gegevens', date: lastDay }]),
  ];
  const options = days.map(({ label, date }) => ({
    label,
    isPicked: areRangesAlike(rangeOfDay(date, now), shown),
    onPick: () => onDay(date),
  }));
  return <PickButtons legend="Dag" options={options} />;
}

type RangeFormProps = {
  /** The range that is shown now. */
  readonly range: TimeRange;
  readonly isBusy: boolean;
  readonly onUpdate: (range: TimeRange) => void;
};

/** Fields for start and end, with the button 'Update Data' (LOG-04). */
function RangeForm({ range, isBusy, onUpdate }: RangeFormProps): ReactNode {
  const [typed, setTyped] = useState(range);
  const [isSubmitted, setSubmitted] = useState(false);
  const now = Date.now();
  const errors = isSubmitted ? railRangeErrors(typed, now) : {};
  const change = (changes: Partial<TimeRange>): void => setTyped((before) => ({ ...before, ...changes }));
  const send = (): void => {
    setSubmitted(true);
    if (!isBusy && !hasTimeRangeErrors(railRangeErrors(typed, now))) onUpdate(typed);
  };
  // Not a form element, because the dialogs of its fields are forms.
  return (
    <fieldset className={`${styles.form} stack top`}>
      <legend className="sr-only">Periode</legend>
      <RangeFields range={typed} errors={errors} latest={now} onChange={change} />
      <BusyButton isBusy={isBusy} onClick={send}>
        Update Data
      </BusyButton>
    </fieldset>
  );
}
