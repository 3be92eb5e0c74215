import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ProjectPage } from '#shared/contract/projects.ts';
import { formatLastSeen, hoursAsClock } from '#shared/domain/nl.ts';
import { TextLink } from '#web/ui/link.tsx';
import type { MachineAction } from './machine-action-dialog.tsx';

const MINUTE_MS = 60_000;

type PresentListProps = {
  readonly present: ProjectPage['now'];
  readonly aliasOf: (serial: string) => string;
  readonly mayManage: boolean;
  /** Unix milliseconds. */
  readonly now: number;
  readonly onAction: (action: MachineAction) => void;
};

/** Lists the machines on the project now, by name, each with its actions. */
export function PresentList({ present, aliasOf, mayManage, now, onAction }: PresentListProps): ReactNode {
  return (
    <ul className="rows" aria-label="Nu op het project">
      {present.map(({ serial, since, byHand, unseenMs }) => (
        <li key={serial}>
          <span>
            <TextLink to={`/machine/${encodeURIComponent(serial)}`}>{aliasOf(serial)}</TextLink>
            <span className="quiet small block">
              {byHand ? 'met de hand' : 'op positie'}
              {since !== null && `, sinds ${formatLastSeen(Date.parse(since) / 1000, now)}`}
              {unseenMs >= MINUTE_MS && `, waarvan ${hoursAsClock(unseenMs / 3_600_000)} uur zonder positie`}
            </span>
          </span>
          {mayManage && (
            <div className="cluster">
              {!byHand && (
                <Button
                  variant="subtle"
                  size="md"
                  aria-label={`Uitzonderen van ${aliasOf(serial)}`}
                  onClick={() => onAction({ kind: 'except', serial })}
                >
                  Uitzonderen
                </Button>
              )}
              <Button
                variant="default"
                size="md"
                aria-label={`Haal van project: ${aliasOf(serial)}`}
                onClick={() => onAction({ kind: 'take-off', serial })}
              >
                Haal van project
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
