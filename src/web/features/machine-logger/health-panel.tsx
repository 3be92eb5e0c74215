import type { LoggerHealth } from '#shared/contract/writers.ts';
import { formatLastSeen, formatNumber } from '#shared/domain/nl.ts';
import { refusalText } from '#shared/domain/upload-refusals.ts';
import { useNow } from '#web/lib/now.ts';
import { Panel } from '#web/ui/panel.tsx';
import styles from './logger-panel.module.css';
import { QuarantineList } from './quarantine-list.tsx';
import { StatusFacts } from './status-facts.tsx';

type HealthPanelProps = { readonly serial: string; readonly health: LoggerHealth };

/** Panel with the last upload, the last error and refusal, and the counters of the logger (MEDIT-15). */
export function HealthPanel({ serial, health }: HealthPanelProps) {
  const {
    lastUpload,
    lastError,
    lastErrorAt,
    lastRefusal,
    lastRefusedAt,
    counters,
    quarantine,
    quotaNotices,
    chain,
    intervalTooLong,
  } = health;
  const now = useNow(60_000);
  const time = (iso: string | null): string => formatLastSeen(iso === null ? 0 : Date.parse(iso) / 1000, now);
  const counted = counterLines(counters);
  if (!chain.writer) return null;
  return (
    <Panel title="Toestand van de logger">
      <dl className="beside gap-2-4">
        <dt>Laatste upload</dt>
        <dd>{time(lastUpload)}</dd>
        <dt>Laatst geweigerd</dt>
        <dd>{lastRefusal === null ? 'niets' : `${time(lastRefusedAt)}: ${refusalText(lastRefusal)}`}</dd>
        <dt>Laatste fout</dt>
        <dd>{lastError === null ? 'geen' : `${time(lastErrorAt)}: ${lastError}`}</dd>
        <StatusFacts health={health} />
      </dl>
      {intervalTooLong && (
        <p className="advice">
          Interval te lang voor draaiuren: het toerental komt om de 5 tot 6 minuten, en een meting telt ten
          hoogste 5 minuten. Laat de logger minstens elke 4 minuten melden.
        </p>
      )}
      {quotaNotices.map((notice) => (
        <p key={notice} className="advice">
          {notice}
        </p>
      ))}
      {counted.length > 0 && (
        <>
          <h3 className={styles.heading}>Geteld sinds de koppeling</h3>
          <dl className="rows">
            {counted.map(([label, count]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="strong">{count}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <QuarantineList serial={serial} quarantine={quarantine} />
    </Panel>
  );
}

/** Labels of the upload endpoint's counters per logger (server/telemetry/counters.ts). */
const COUNTER_TEXTS: readonly (readonly [name: string, label: string])[] = [
  ['uploads', 'Ontvangen bestanden'],
  ['readings', 'Opgeslagen metingen'],
  ['merged', 'Aangevulde metingen'],
  ['duplicates', 'Metingen die er al waren'],
  ['quarantined', 'In quarantaine'],
  ['skippedSignals', 'Overgeslagen signalen'],
  ['frozenClocks', 'Metingen met stilstaande GPS-klok'],
  ['frames', 'CAN-berichten'],
  ['unknownFrames', 'Onbekende CAN-berichten'],
  ['badLines', 'Onleesbare regels'],
  ['refused', 'Geweigerde bestanden'],
];

type CounterLine = readonly [label: string, count: string];

/** Returns the counters above 0 in a fixed order; counters without a label come last, by their name. */
export function counterLines(counters: Readonly<Record<string, number>>): CounterLine[] {
  const known = new Map(COUNTER_TEXTS);
  const others = Object.keys(counters).filter((name) => !known.has(name));
  return [...COUNTER_TEXTS, ...others.map((name) => [name, name] as const)]
    .filter(([name]) => (counters[name] ?? 0) > 0)
    .map(([name, label]) => [label, formatNumber(counters[name] ?? 0)]);
}
