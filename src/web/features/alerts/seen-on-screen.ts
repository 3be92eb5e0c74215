import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { callApi } from '#web/lib/api.ts';
import { openAlertsQuery } from '#web/machines/open-alerts.ts';
import { refreshQueries } from '#web/queries/use-change.ts';

/** An alert that is visible for less than this counts as scrolled past, not as seen. */
const SEEN_AFTER_MS = 2_000;

/**
 * Marks new alerts as seen once their elements (`data-alert`) were visible for SEEN_AFTER_MS. `wasNew` stays true for them until
 * the page closes, so that the page still shows them as new.
 */
export function useSeenOnScreen(alerts: readonly Alert[]): {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly wasNew: (alert: Alert) => boolean;
} {
  const list = useRef<HTMLUListElement>(null);
  const [known] = useState(() => new Set<string>());
  for (const { _id, isNew } of alerts) if (isNew) known.add(_id);
  const client = useQueryClient();
  // Does not retry a failed call: the alerts are marked as seen when they are shown again.
  const { mutate: markSeen } = useMutation({
    mutationFn: (ids: string[]) => callApi('POST /api/alert/seen', { body: { alerts: ids } }),
    onSuccess: (_, seen) =>
      client.setQueryData(
        openAlertsQuery.queryKey,
        (all) => all && { ...all, fresh: Math.max(0, all.fresh - seen.length) },
      ),
    onSettled: () => refreshQueries(client, 'POST /api/alert/seen'),
  });
  const fresh = alerts.flatMap(({ _id, isNew }) => (isNew ? [_id] : [])).join(' ');
  useEffect(() => {
    if (fresh === '') return;
    const shown = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      if (shown.size > 0 && document.visibilityState === 'visible')
        timer = setTimeout(() => markSeen([...shown]), SEEN_AFTER_MS);
    };
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const { alert = '' } = (target as HTMLElement).dataset;
          if (isIntersecting) shown.add(alert);
          else shown.delete(alert);
        }
        restart();
      },
      { threshold: 0.6 },
    );
    for (const id of fresh.split(' ')) {
      const element = list.current?.querySelector(`[data-alert="${id}"]`);
      if (element) watch.observe(element);
    }
    document.addEventListener('visibilitychange', restart);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener('visibilitychange', restart);
    };
  }, [fresh, markSeen]);
  return { list, wasNew: ({ _id }) => known.has(_id) };
}
