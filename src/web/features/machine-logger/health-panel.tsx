import type { LoggerHealth } from '#shared/contract/writers.ts';
import { lastSeen } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { Panel } from '#web/ui/panel.tsx';
import { counterLines } from './counter-words.ts';
import styles from './health-panel.module.css';
import { QuarantineList } from './quarantine-list.tsx';

/** When the logger was heard last, what went wrong, what it delivered (MEDIT-15). */
export function HealthPanel({ health }: { readonly health: LoggerHealth }) {
  const { lastUpload, lastError, lastErrorAt, counters, quarantine, chain } = health;
  const now = useNow(60_000);
  const time = (iso: string | null): string => lastSeen(iso === null ? 0 : Date.parse(iso) / 1000, now);
  const counted = counterLines(counters);
  if (!chain.writer) return null;
  return (
    <Panel title="Toestand van de logger">
      <dl className={styles.facts}>
        <dt>Laatste upload</dt>
        <dd>{time(lastUpload)}</dd>
        <dt>Laatste fout</dt>
        <dd>{lastError === null ? 'geen' : `${time(lastErrorAt)}: ${lastError}`}</dd>
      </dl>
      {counted.length > 0 && (
        <>
          <h3 className={styles.heading}>Geteld sinds de koppeling</h3>
          <dl className={styles.counters}>
            {counted.map(([words, count]) => (
              <div key={words}>
                <dt>{words}</dt>
                <dd>{count}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {quarantine.length > 0 && <QuarantineList quarantine={quarantine} />}
    </Panel>
  );
}
