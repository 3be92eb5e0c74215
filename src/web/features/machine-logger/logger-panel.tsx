import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { ConfigPanel } from './config-panel.tsx';
import { EventsPanel } from './events-panel.tsx';
import { FormerLoggers } from './former-loggers.tsx';
import { HealthPanel } from './health-panel.tsx';
import { KeyPanel } from './key-panel.tsx';
import { NetworkPanel } from './network-panel.tsx';

const POLL_MS = 10_000;

type LoggerPanelProps = {
  /** Serial number of the machine, or loggerid of the LMB logger, that the logger reports for. */
  readonly serial: string;
};

/** Panels about the logger of a machine, or about an LMB logger: configuration, health, network and key. */
export function LoggerPanel({ serial }: LoggerPanelProps) {
  const health = useQuery({
    ...readQuery('GET /api/machine/writer/health/:serial', { params: { serial } }),
    refetchInterval: POLL_MS,
  });
  const { data, error } = health;
  return (
    <div className="stack gap-4">
      <RetryAlert
        query={health}
        fallback={data ? 'De gegevens van de logger zijn niet vernieuwd.' : 'De logger is niet geladen.'}
      />
      {data === undefined && !error && (
        <Panel title="Logger">
          <p role="status" className="quiet">
            De logger wordt geladen
          </p>
        </Panel>
      )}
      {data && (
        <>
          <ConfigPanel serial={serial} health={data} />
          <HealthPanel serial={serial} health={data} />
          <EventsPanel events={data.events} />
          {data.kind === 'rexgen' && <NetworkPanel serial={serial} network={data.network} />}
          {data.chain.writer && <KeyPanel serial={serial} loggerId={data.loggerId} kind={data.kind} />}
          <FormerLoggers serial={serial} loggers={data.formerLoggers} present={data.loggerId} />
        </>
      )}
    </div>
  );
}
