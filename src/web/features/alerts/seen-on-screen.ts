import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { useSeen } from './alert-calls.ts';

/** ms; shorter it was passed by. */
const LOOKED_AT_MS = 2_000;

/**
 * Says of new alerts that they were seen, once their elements (`data-alert`) were so long on a screen that is looked at. They go
 * on standing there as new while the page does.
 */
export function useSeenOnScreen(alerts: readonly Alert[]): {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly wasNew: (alert: Alert) => boolean;
} {
  const list = useRef<HTMLUListElement>(null);
  const [known] = useState(() => new Set<string>());
  for (const { _id, isNew } of alerts) if (isNew) known.add(_id);
  const { mutate: tell } = useSeen();
  const fresh = alerts.flatMap(({ _id, isNew }) => (isNew ? [_id] : [])).join(' ');
  useEffect(() => {
    if (fresh === '') return;
    const shown = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      if (shown.size > 0 && document.visibilityState === 'visible')
        timer = setTimeout(() => tell([...shown]), LOOKED_AT_MS);
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
  }, [fresh, tell]);
  return { list, wasNew: ({ _id }) => known.has(_id) };
}
