import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { useMarkSeen } from './alert-calls.ts';

/** A shorter view counts as scrolling past. */
const SEEN_AFTER_MS = 2_000;

/**
 * Marks new alerts as seen once their elements (`data-alert`) were visible for SEEN_AFTER_MS. `wasNew` keeps them marked as new
 * until the page closes.
 */
export function useSeenOnScreen(alerts: readonly Alert[]): {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly wasNew: (alert: Alert) => boolean;
} {
  const list = useRef<HTMLUListElement>(null);
  const [known] = useState(() => new Set<string>());
  for (const { _id, isNew } of alerts) if (isNew) known.add(_id);
  const { mutate: markSeen } = useMarkSeen();
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
