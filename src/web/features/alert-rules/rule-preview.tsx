import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertPreview, alertsApi } from '#shared/contract/alerts.ts';
import type { CallInput } from '#shared/contract/endpoint.ts';
import { type AlertKind, PREVIEW_DAYS } from '#shared/domain/alerts/kinds.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { alertTimeText } from '#web/machines/alert-mark.tsx';
import { readQuery } from '#web/queries/read.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './rule-preview.module.css';

type Condition = CallInput<(typeof alertsApi)['POST /api/alert-rule/preview']>['body'];

const DEBOUNCE_MS = 500;

type RulePreviewProps = {
  /** The condition in the form; undefined while the form has errors. */
  readonly condition: Condition | undefined;
};

/** Shows how often the rule in the form would have fired in the last 30 days, and the last of those alerts. */
export function RulePreview({ condition }: RulePreviewProps): ReactNode {
  const [debounced] = useDebouncedValue(condition, DEBOUNCE_MS);
  const query = useQuery({
    ...readQuery('POST /api/alert-rule/preview', { body: debounced as Condition }),
    enabled: debounced !== undefined,
  });
  // Hides the count of the previous condition while the user changes the form.
  const isCurrent = JSON.stringify(condition) === JSON.stringify(debounced);
  const found = isCurrent ? query.data : undefined;
  return (
    <section className="stack gap-1 surface py-3 px-4" aria-labelledby="preview">
      <h3 id="preview">Hoe vaak dat gebeurt</h3>
      <p role="status">
        {found
          ? countText(found)
          : !condition
            ? `Vul de regel in, dan staat hier hoe vaak hij de laatste ${PREVIEW_DAYS} dagen zou zijn afgegaan.`
            : !(isCurrent && query.error) && WAIT}
      </p>
      {condition && isCurrent && <RetryAlert query={query} fallback="Hoe vaak dat was, is niet geladen." />}
      {found && found.alerts.length > 0 && <FoundList kind={condition?.kind as AlertKind} found={found} />}
    </section>
  );
}

/**
 * Resolves when the last requested preview of a preset is done. The next request waits for it: previews run one after
 * the other, because each makes the server evaluate a month of readings.
 */
let queue: Promise<unknown> = Promise.resolve();

/** Shows in one line how often a preset would have fired in the last 30 days. */
export function PresetPreview({ condition }: { readonly condition: Condition }): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['alert-preview', 'ready', condition],
    queryFn: ({ signal }) => {
      const answer = queue.then(() => callApi('POST /api/alert-rule/preview', { body: condition, signal }));
      queue = answer.catch(() => undefined);
      return answer;
    },
  });
  if (data) return countText(data);
  return error ? `Hoe vaak dat de laatste ${PREVIEW_DAYS} dagen was, is niet geladen.` : WAIT;
}

const WAIT = `De laatste ${PREVIEW_DAYS} dagen worden nagegaan…`;

function countText({ isKnown, count, machines }: AlertPreview): string {
  if (!isKnown) return 'Van deze soort is niet bekend hoe het was.';
  const { looked, all } = machines ?? WHOLE_PORTAL;
  if (all === 0) return 'Onder deze regel valt nu geen machine.';
  const times = `Zou de laatste ${PREVIEW_DAYS} dagen ${looked < all ? 'minstens ' : ''}${formatNumber(count)} keer zijn afgegaan`;
  return looked < all
    ? `${times}; nagegaan bij ${formatNumber(looked)} van de ${formatNumber(all)} machines.`
    : `${times}.`;
}

/**
 * Numbers of evaluated and of all machines for a rule about the portal itself, which has no machines: equal numbers mean
 * that the preview is complete.
 */
const WHOLE_PORTAL = { looked: 1, all: 1 };

type FoundListProps = { readonly kind: AlertKind; readonly found: AlertPreview };

function FoundList({ kind, found: { alerts, count } }: FoundListProps): ReactNode {
  const now = Date.now();
  return (
    <details className={styles.found}>
      <summary className="fold">{alerts.length < count ? `De laatste ${alerts.length}` : 'Wanneer'}</summary>
      <ul>
        {alerts.map((alert) => {
          const name = alert.machine?.alias ?? alert.subject;
          return (
            <li key={`${alert.machine?.serialNumber ?? alert.subject} ${alert.since}`}>
              {name !== null && (
                <>
                  <strong>{name}</strong>:{' '}
                </>
              )}
              {alert.words}, {alertTimeText({ kind, ...alert }, now)}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
