import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { FormerOwnershipPeriod } from '#shared/contract/leaving.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import styles from './former-owners-panel.module.css';

const TITLE = 'Vorige eigenaren';
const POLL_MS = 5_000;

/** `owner` is the present owner; the list is reloaded when the owner changes. */
type FormerOwnersPanelProps = { readonly serial: string; readonly owner: string };

/**
 * Panel that lists the periods of a machine's former owners. An administrator can erase the history of each
 * period. Hidden for other users, and for a machine without former owners.
 */
export function FormerOwnersPanel({ serial, owner }: FormerOwnersPanelProps): ReactNode {
  const isAdmin = isActionAllowed(useUser(), 'manage-organizations');
  const periods = useQuery({
    ...deriveQuery('GET /api/machine/periods', [serial, owner], (signal) =>
      callApi('GET /api/machine/periods', { query: { serial }, signal }),
    ),
    enabled: isAdmin,
    refetchInterval: ({ state }) =>
      state.data?.some((period) => period.state === 'erasing') ? POLL_MS : false,
  });
  const [erasing, setErasing] = useState<FormerOwnershipPeriod>();
  const { mutateAsync: erase, data } = useChange('POST /api/machine/periods/erase');
  if (periods.error && !periods.data)
    return (
      <Panel title={TITLE}>
        <RetryAlert query={periods} fallback="De vorige eigenaren zijn niet geladen." />
      </Panel>
    );
  if (!periods.data || periods.data.length === 0) return null;
  return (
    <>
      <Panel title={TITLE}>
        <Notice>{data?.message}</Notice>
        <ul className="column gap-4">
          {periods.data.map((period) => (
            <li key={period._id} className={`${styles.period} column gap-1 top`}>
              <span className="bold wrap">{period.cleanorg}</span>
              <span className="quiet small">{timeOf(period)}</span>
              <span>{STATES[period.state](period.readings)}</span>
              {period.state === 'kept' && (
                <Button
                  className={styles.erase}
                  size="md"
                  variant="default"
                  aria-label={`Wis geschiedenis van ${period.cleanorg} ${timeOf(period)}`}
                  onClick={() => setErasing(period)}
                >
                  Wis geschiedenis
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      {erasing && (
        <ConfirmDialog
          question="Weet je zeker dat je deze geschiedenis wilt wissen"
          onYes={() => erase({ body: { serial, _id: erasing._id } })}
          onClose={() => setErasing(undefined)}
        >
          <p>
            <span className="bold wrap">{erasing.cleanorg}</span>, {timeOf(erasing)}
          </p>
          <p>
            {erasing.readings === 1 ? '1 meting gaat' : `${formatNumber(erasing.readings)} metingen gaan`}{' '}
            weg, met alles wat daaruit is berekend, en de logbestanden en meldingen van die tijd. De
            urenteller, foto en handleiding, en de geschiedenis van anderen blijven.
          </p>
          <p>Dit is niet terug te nemen.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const timeOf = ({ from, to }: FormerOwnershipPeriod): string =>
  `${from === null ? '' : `van ${dateAndTime(Date.parse(from))} `}tot ${dateAndTime(Date.parse(to))}`;

const STATES: Readonly<Record<FormerOwnershipPeriod['state'], (readings: number) => string>> = {
  kept: (readings) => `${formatNumber(readings)} ${readings === 1 ? 'meting' : 'metingen'} bewaard`,
  erasing: () => 'Wordt gewist',
  erased: () => 'Gewist',
};
