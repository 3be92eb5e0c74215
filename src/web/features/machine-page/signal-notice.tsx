import type { ReactNode } from 'react';
import { isActionAllowed } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { yesterdayOf } from '#web/machines/range-address.ts';
import { useUser } from '#web/session/user.ts';
import { TextLink } from '#web/ui/link.tsx';
import { useDayFiguresBetween } from './charging-queries.ts';

/**
 * Warning that a signal contradicts the other signals, with a link to the repair for users who may change it.
 * @param now unix ms
 */
export function SignalNotice({ serial, now }: { readonly serial: string; readonly now: number }): ReactNode {
  const { contradiction } = useDayFiguresBetween(serial, yesterdayOf(now), amsterdamDay(now));
  const mayRepair = isActionAllowed(useUser(), 'manage-machines');
  if (contradiction === undefined) return null;
  return (
    <ul className="stack" aria-label="Tegenstrijdige signalen">
      <li className="alert-card py-2 px-3">
        <p>{contradiction}.</p>
        {mayRepair && (
          <p>
            <TextLink to={`/machine/edit/${encodeURIComponent(serial)}/definitie`}>
              Naar de datadefinitie
            </TextLink>
          </p>
        )}
      </li>
    </ul>
  );
}
