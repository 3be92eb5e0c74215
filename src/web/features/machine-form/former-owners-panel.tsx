import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { FormerPeriod } from '#shared/contract/leaving.ts';
import { may } from '#shared/domain/access.ts';
import { dateAndTime, plainNumber } from '#shared/domain/nl.ts';
import { call } from '#web/lib/api.ts';
import { useUser } from '#web/session/user.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/**
 * The times at which a machine was a former owner's, whose history an administrator can erase alone. Nothing for anybody else, and for a
 * machine that had one owner.
 */
export function FormerOwnersPanel({ serial }: { readonly serial: string }): ReactNode {
  const isAdmin = may(useUser(), 'manage-organizations');
  const client = useQueryClient();
  const queryKey = ['former-periods', serial];
  const periods = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /api/machine/periods', { query: { serial }, signal }),
    enabled: isAdmin,
  });
  const [asked, setAsked] = useState<FormerPeriod>();
  const { mutateAsync: erase, data } = useMutation({
    mutationFn: ({ _id }: FormerPeriod) => call('POST /api/machine/periods/erase', { body: { serial, _id } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  if (!periods.data || periods.data.length === 0) return null;
  return (
    <Panel title="Vorige eigenaren">
      <Notice>{data?.message}</Notice>
      {periods.data.map((period) => (
        <div key={period._id}>
          <p>
            <strong>{period.cleanorg}</strong>
            <br />
            {timeOf(period)}
            <br />
            {STATES[period.state](period.readings)}
          </p>
          {period.state === 'kept' && (
            <Button
              size="md"
              variant="default"
              aria-label={`Wis de geschiedenis van ${period.cleanorg}`}
              onClick={() => setAsked(period)}
            >
              Wis geschiedenis
            </Button>
          )}
        </div>
      ))}
      {asked && (
        <ConfirmDialog
          question={`Weet je zeker dat je de geschiedenis van ${asked.cleanorg} wilt wissen`}
          onYes={() => erase(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {plainNumber(asked.readings)} metingen ({timeOf(asked)}) gaan weg, met alles wat daaruit is
            berekend, en de logbestanden, foto’s en meldingen van die tijd. De urenteller en de geschiedenis
            van anderen blijven.
          </p>
          <p>Dit is niet terug te nemen.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const timeOf = ({ from, to }: FormerPeriod): string =>
  `${from === null ? '' : `van ${dateAndTime(Date.parse(from))} `}tot ${dateAndTime(Date.parse(to))}`;

const STATES: Readonly<Record<FormerPeriod['state'], (readings: number) => string>> = {
  kept: (readings) => `${plainNumber(readings)} ${readings === 1 ? 'meting' : 'metingen'} bewaard`,
  erasing: () => 'Wordt gewist',
  erased: () => 'Gewist',
};
