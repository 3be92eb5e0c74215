import { Button } from '@mantine/core';
import { useState } from 'react';
import type { LoggerHealth, QuarantinedReadings } from '#shared/contract/writers.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { ApiError } from '#web/lib/api.ts';
import { useChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';

type Delivery = LoggerHealth['quarantine'][number];
type AdoptableDelivery = Delivery & { readonly held: QuarantinedReadings };

type QuarantineListProps = { readonly serial: string; readonly quarantine: readonly Delivery[] };

/** List of the logger's quarantined uploads, newest first. The user can adopt their readings if the server still has these. */
export function QuarantineList({ serial, quarantine }: QuarantineListProps) {
  const [toAdopt, setToAdopt] = useState<readonly AdoptableDelivery[]>();
  const [note, setNote] = useState<string>();
  const waiting = quarantine.filter(canBeAdopted);
  return (
    <>
      <Notice>{note}</Notice>
      {waiting.length > 1 && (
        <div>
          <p className="mb-3">
            {countOf(waiting.map(({ held }) => held))} wachten tot je ze overneemt: de logger zat toen op een
            machine van een andere organisatie, of een vorige eigenaar kan zijn sleutel kennen.
          </p>
          <Button variant="default" size="md" onClick={() => setToAdopt(waiting)}>
            Neem alles over
          </Button>
        </div>
      )}
      {quarantine.length > 0 && (
        <details>
          <summary className="fold">
            In quarantaine:{' '}
            {quarantine.length === 1 ? '1 bestand' : `de laatste ${quarantine.length} bestanden`}
          </summary>
          <ul className="stack">
            {quarantine.map((delivery) => (
              <li className="stack gap-0 wrap" key={delivery.id}>
                <strong>{delivery.reason}</strong>
                <span className="quiet small">{delivery.key}</span>
                <span className="quiet small">
                  {dateAndTime(Date.parse(delivery.receivedAt))} · {formatNumber(delivery.size)} bytes
                </span>
                {delivery.held && <span className="quiet small">{quarantinedText(delivery.held)}</span>}
                {canBeAdopted(delivery) && (
                  <Button
                    className="self-start mt-1"
                    variant="default"
                    size="md"
                    onClick={() => setToAdopt([delivery])}
                  >
                    Neem over
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
      {toAdopt && (
        <AdoptDialog
          serial={serial}
          deliveries={toAdopt}
          onAdopted={setNote}
          onClose={() => setToAdopt(undefined)}
        />
      )}
    </>
  );
}

type AdoptDialogProps = {
  readonly serial: string;
  readonly deliveries: readonly AdoptableDelivery[];
  readonly onAdopted: (note: string) => void;
  readonly onClose: () => void;
};

/** Dialog that shows which quarantined readings go to which machine, and adopts the uploads one after the other. */
function AdoptDialog({ serial, deliveries, onAdopted, onClose }: AdoptDialogProps) {
  const { mutateAsync: adopt } = useChange('POST /api/machine/writer/take-over');
  const [done, setDone] = useState<number>();
  const { readings, period, into } = quarantineSummaryOf(deliveries.map(({ held }) => held));
  const adoptAll = async (): Promise<void> => {
    let note = '';
    for (const [n, { id }] of deliveries.entries()) {
      setDone(n);
      const answer = await adopt({ body: { serial, id } }).catch(unlessGone);
      note = answer?.message ?? 'Al overgenomen.';
    }
    onAdopted(deliveries.length === 1 ? note : `${formatNumber(deliveries.length)} bestanden overgenomen.`);
  };
  return (
    <ConfirmDialog
      question="Wil je deze metingen overnemen"
      kind="change"
      onYes={adoptAll}
      onClose={onClose}
      fallback="Het overnemen is niet gelukt. Probeer het opnieuw."
    >
      <div className="stack">
        <dl className="beside gap-2-4">
          <dt>Wat</dt>
          <dd>
            {readings} uit {deliveries.length === 1 ? deliveries[0]?.key : `${deliveries.length} bestanden`}
          </dd>
          <dt>Wanneer</dt>
          <dd>{period}</dd>
          <dt>Naar toen</dt>
          <dd>{into}</dd>
        </dl>
        <p>Wie de geschiedenis daarvan ziet, ziet ook deze metingen.</p>
        {done !== undefined && deliveries.length > 1 && (
          <p role="status">
            {done} van {deliveries.length} bestanden overgenomen
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** Ignores the error that another user already adopted the upload's readings; throws all other errors. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
}

function canBeAdopted(delivery: Delivery): delivery is AdoptableDelivery {
  return delivery.held !== null && !delivery.held.isGone && delivery.held.into.length > 0;
}

/** Returns a description of one upload's quarantined readings and, if they cannot be adopted, why. */
export function quarantinedText(quarantined: QuarantinedReadings): string {
  const { readings, period, into } = quarantineSummaryOf([quarantined]);
  if (quarantined.into.length === 0) return `${readings}, ${period}. De machine van toen is er niet meer.`;
  const gone = quarantined.isGone ? ' Het logbestand is er niet meer: overnemen kan niet.' : '';
  return `${readings}, ${period}, van ${into}.${gone}`;
}

const countOf = (quarantined: readonly QuarantinedReadings[]): string => {
  const count = quarantined.reduce((sum, { readings }) => sum + readings, 0);
  return `${formatNumber(count)} ${count === 1 ? 'meting' : 'metingen'}`;
};

type Summary = { readonly readings: string; readonly period: string; readonly into: string };

/** Returns the number, the period and the machines of quarantined readings, as Dutch texts. */
export function quarantineSummaryOf(quarantined: readonly QuarantinedReadings[]): Summary {
  const from = Math.min(...quarantined.map((one) => Date.parse(one.from)));
  const to = Math.max(...quarantined.map((one) => Date.parse(one.to)));
  const [first, last] = [dateAndTime(from), dateAndTime(to)];
  const machines = quarantined.flatMap(({ into }) =>
    into.map(({ serial, organization, isDeleted }) => {
      const deleted = isDeleted ? ' (verwijderd)' : '';
      return `machine ${serial} van organisatie ${organization}${deleted}`;
    }),
  );
  return {
    readings: countOf(quarantined),
    period: first === last ? `op ${first}` : `van ${first} tot ${last}`,
    into: [...new Set(machines)].join(', '),
  };
}
