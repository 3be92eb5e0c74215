import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertPreview, alertsApi } from '#shared/contract/alerts.ts';
import type { CallInput } from '#shared/contract/endpoint.ts';
import type { AlertKind } from '#shared/domain/alerts/kinds.ts';
import { plainNumber } from '#shared/domain/nl.ts';
import { call } from '#web/lib/api.ts';
import { alertTimeInWords } from '#web/machines/alert-mark.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './rule-preview.module.css';

type Question = CallInput<(typeof alertsApi)['POST /api/alert-rule/preview']>['body'];

/** ms; who is still typing is not answered. */
const REST_MS = 500;

type RulePreviewProps = {
  /** undefined: it contradicts itself, or lacks something. */
  readonly question: Question | undefined;
};

/** How often the rule of the form would have told something lately, and what. */
export function RulePreview({ question }: RulePreviewProps): ReactNode {
  const [asked] = useDebouncedValue(question, REST_MS);
  const query = useQuery({
    queryKey: ['alert-preview', asked],
    queryFn: ({ signal }) => call('POST /api/alert-rule/preview', { body: asked as Question, signal }),
    enabled: asked !== undefined,
  });
  // What was counted of another rule than the form has now is not shown.
  const isOfNow = JSON.stringify(question) === JSON.stringify(asked);
  const found = isOfNow ? query.data : undefined;
  return (
    <section className={styles.preview} aria-labelledby="preview">
      <h3 id="preview">Hoe vaak dat gebeurt</h3>
      <p role="status">
        {found
          ? countInWords(found)
          : !question
            ? 'Vul de regel in, dan staat hier hoe vaak hij de laatste 30 dagen zou zijn afgegaan.'
            : !(isOfNow && query.error) && WAIT}
      </p>
      {question && isOfNow && <RetryAlert query={query} fallback="Hoe vaak dat was, is niet geladen." />}
      {found && found.alerts.length > 0 && <FoundList kind={question?.kind as AlertKind} found={found} />}
    </section>
  );
}

/** Each costs the server a look at a month: one after the other, behind what the form asks. */
let turn: Promise<unknown> = Promise.resolve();

/** The same of a rule that stands ready, in a line. */
export function ReadyPreview({ question }: { readonly question: Question }): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['alert-preview', 'ready', question],
    queryFn: ({ signal }) => {
      const answer = turn.then(() => call('POST /api/alert-rule/preview', { body: question, signal }));
      turn = answer.catch(() => undefined);
      return answer;
    },
  });
  if (data) return countInWords(data);
  return error ? 'Hoe vaak dat de laatste 30 dagen was, is niet geladen.' : WAIT;
}

const WAIT = 'De laatste 30 dagen worden nagegaan…';

function countInWords({ isKnown, count, machines }: AlertPreview): string {
  if (!isKnown) return 'Van deze soort is niet bekend hoe het was.';
  const { looked, all } = machines ?? OF_NONE;
  if (all === 0) return 'Onder deze regel valt nu geen machine.';
  const times = `Zou de laatste 30 dagen ${looked < all ? 'minstens ' : ''}${plainNumber(count)} keer zijn afgegaan`;
  return looked < all
    ? `${times}; nagegaan bij ${plainNumber(looked)} van de ${plainNumber(all)} machines.`
    : `${times}.`;
}

/** What is of no machines is known as a whole. */
const OF_NONE = { looked: 1, all: 1 };

type FoundListProps = { readonly kind: AlertKind; readonly found: AlertPreview };

function FoundList({ kind, found: { alerts, count } }: FoundListProps): ReactNode {
  const now = Date.now();
  return (
    <details className={styles.found}>
      <summary>{alerts.length < count ? `De laatste ${alerts.length}` : 'Wanneer'}</summary>
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
              {alert.words}, {alertTimeInWords({ kind, ...alert }, now)}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
