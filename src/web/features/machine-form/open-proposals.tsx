import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { countOpenProposals, openProposalsText } from '#shared/domain/open-proposals.ts';
import { readQuery } from '#web/queries/read.ts';

/** Returns how many proposed signal mappings of a machine the user has not accepted yet; 0 while they are not loaded. */
export function useOpenProposals(serial: string, isEnabled: boolean): number {
  const { data } = useQuery({
    ...readQuery('GET /api/machine/dbc/:serial', { params: { serial } }),
    enabled: isEnabled,
  });
  return isEnabled && data ? countOpenProposals(data.proposals) : 0;
}

type OpenProposalsProps = { readonly serial: string; readonly count: number; readonly kind: LoggerKind };

/**
 * Shows how many proposed signal mappings are not accepted yet, with a link to them. Without a mapping, a ReXgen does
 * not send these signals, so the user must map them before loading the configuration into the logger. A CANedge records
 * all messages.
 */
export const OpenProposals = ({ serial, count, kind }: OpenProposalsProps): ReactNode => (
  <>
    <p>
      <strong>{openProposalsText(count)}.</strong>{' '}
      {kind === 'canedge'
        ? 'Zonder koppeling laat het portaal die signalen niet zien. Neem ze over.'
        : 'Zonder koppeling stuurt de logger die signalen niet. Neem ze eerst over, en maak daarna een nieuwe config.xml.'}
    </p>
    <Button component={Link} to={`/machine/edit/${encodeURIComponent(serial)}/definitie`} size="md">
      Naar de koppeling
    </Button>
  </>
);
