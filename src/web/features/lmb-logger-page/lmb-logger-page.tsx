import { type ReactNode, useState } from 'react';
import { may } from '#shared/domain/access.ts';
import { isFaulty, rangeFaults, rangeOfDay, type TimeRange } from '#shared/domain/time-range.ts';
import { ApiError } from '#web/lib/api.ts';
import { DEFAULT_RANGE } from '#web/machines/default-range.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { RangeFields } from '#web/ui/range-fields.tsx';
import styles from './lmb-logger-page.module.css';
import { LoggerHistory } from './logger-history.tsx';
import { useLmbLogger, useRailData } from './rail-calls.ts';

const LIST = '/lmb-logging/';

type LmbLoggerPageProps = {
  readonly alias: string;
  /** Functional name, where several organizations have the alias. */
  readonly organization: string | undefined;
  /** What an administrator sees below it, of the logger with this loggerid. */
  readonly below?: (loggerid: string) => ReactNode;
};

/** /lmb-logging/{alias} (LOG-03 to LOG-06). */
export function LmbLoggerPage({ alias, organization, below }: LmbLoggerPageProps): ReactNode {
  const logger = useLmbLogger(alias, organization);
  const mayRead = may(useUser(), 'see-log');
  const { data, error } = logger;
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <Page title={alias} back={LIST}>
        <p>Deze machine is er niet (meer).</p>
      </Page>
    );
  }
  const logOf = `/logboek?machine=${encodeURIComponent(data?.loggerid ?? '')}`;
  return (
    <Page title={alias} back={LIST} action={data && mayRead && <TextLink to={logOf}>Logboek</TextLink>}>
      <RetryAlert query={logger} fallback="De machine is niet geladen." />
      {data && (
        <>
          <p className={styles.facts}>
            #{data.loggerid} · {data.cleanorg}
          </p>
          <History key={data.loggerid} loggerid={data.loggerid} alias={data.alias} />
          {below && <div className={styles.below}>{below(data.loggerid)}</div>}
        </>
      )}
    </Page>
  );
}

function History({ loggerid, alias }: { readonly loggerid: string; readonly alias: string }): ReactNode {
  const [picked, setPicked] = useState<TimeRange>();
  const [points] = useState(bucketsOfScreen);
  const query = useRailData(loggerid, picked, points);
  const { data: answer, isFetching, refetch } = query;
  const shown = picked ?? answer?.range ?? DEFAULT_RANGE;
  const update = (range: TimeRange): void => {
    if (picked && range.from === picked.from && range.to === picked.to) void refetch();
    else setPicked(range);
  };
  const showDay = (date: string): void => setPicked(rangeOfDay(date, Date.now()));
  return (
    <div className={styles.history}>
      <RangeForm
        key={`asked ${shown.from} ${shown.to}`}
        range={shown}
        isBusy={isFetching}
        onUpdate={update}
      />
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
          onDay={showDay}
        />
      )}
    </div>
  );
}

/** px of the widest page. */
const WIDEST_PX = 960;

/** A bucket gives its lowest and its highest speed: as many points as the screen has pixels, and no more. */
const bucketsOfScreen = (): number =>
  Math.max(100, Math.floor((Math.min(WIDEST_PX, window.innerWidth) * devicePixelRatio) / 2));

const DAY_MS = 86_400_000;

type RangeFormProps = {
  /** What is shown now. */
  readonly range: TimeRange;
  readonly isBusy: boolean;
  readonly onUpdate: (range: TimeRange) => void;
};

/** Start, end and 'Update Data' (LOG-04). */
function RangeForm({ range, isBusy, onUpdate }: RangeFormProps): ReactNode {
  const [typed, setTyped] = useState(range);
  const [asked, setAsked] = useState(false);
  const now = Date.now();
  // A day that is not over can be picked whole, as the server cuts it.
  const faults = asked ? rangeFaults(typed, now + DAY_MS) : {};
  const change = (changes: Partial<TimeRange>): void => setTyped((before) => ({ ...before, ...changes }));
  const send = (): void => {
    setAsked(true);
    if (!isBusy && !isFaulty(rangeFaults(typed, now + DAY_MS))) onUpdate(typed);
  };
  // No form element: the dialogs of its fields are forms themselves.
  return (
    <fieldset className={styles.form}>
      <legend className="sr-only">Periode</legend>
      <RangeFields range={typed} faults={faults} latest={now} onChange={change} />
      <BusyButton isBusy={isBusy} onClick={send}>
        Update Data
      </BusyButton>
    </fieldset>
  );
}
