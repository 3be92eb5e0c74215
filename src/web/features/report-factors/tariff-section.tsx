import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Tariff } from '#shared/contract/charging-tariffs.ts';
import { priceText, tariffPeriodText } from '#shared/domain/reports/charging-costs.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TariffDialog } from './tariff-dialog.tsx';

type Asked =
  | { readonly what: 'save'; readonly tariff?: Tariff }
  | { readonly what: 'delete'; readonly tariff: Tariff };

type TariffSectionProps = {
  /** Whether the user may change tariffs. */
  readonly isManager: boolean;
  /** Whether the list has tariffs of all organizations; each tariff then names its organization. */
  readonly seesAll: boolean;
  readonly onDone: (message: string) => void;
};

const EMPTY = (
  <EmptyState title="Nog niets ingesteld">
    <p>Zonder laadtarief tonen rapporten geen laadkosten.</p>
  </EmptyState>
);

/** The charging tariffs on the page of factors. */
export function TariffSection({ isManager, seesAll, onDone }: TariffSectionProps): ReactNode {
  const tariffs = useQuery(readQuery('GET /api/charging-tariff/get'));
  const removal = useChange('POST /api/charging-tariff/delete');
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  return (
    <section className="mb-8" aria-labelledby="charging-tariffs">
      <div className="split mb-3">
        <h2 id="charging-tariffs">Laadtarief per kWh</h2>
        {isManager && (
          <Button size="md" variant="default" onClick={() => setAsked({ what: 'save' })}>
            Voeg een laadtarief toe
          </Button>
        )}
      </div>
      <p className="measure mb-6">
        Hiermee rekenen rapporten uit wat laden kostte: bedragen zonder btw, zoals je ze hier invult. Voor
        uren zonder tarief komt er geen bedrag. Feestdagen tellen als gewone dagen.
      </p>
      <LoadedList query={tariffs} empty={EMPTY}>
        {(all) => (
          <CardList label="Laadtarieven" items={all} keyOf={({ _id }) => _id}>
            {(tariff) => (
              <>
                <h3>{capital(priceText(tariff))}</h3>
                <p>{tariffPeriodText(tariff)}</p>
                {tariff.terreinName !== null && <p>Op terrein {tariff.terreinName}</p>}
                {seesAll && <p>{tariff.cleanorg}</p>}
                {isManager && (
                  <CardActions>
                    <Button
                      variant="default"
                      size="md"
                      aria-label={`Wijzig ${labelOf(tariff)}`}
                      onClick={() => setAsked({ what: 'save', tariff })}
                    >
                      Wijzig
                    </Button>
                    <DeleteButton of={labelOf(tariff)} onClick={() => setAsked({ what: 'delete', tariff })} />
                  </CardActions>
                )}
              </>
            )}
          </CardList>
        )}
      </LoadedList>
      {asked?.what === 'save' && (
        <TariffDialog
          tariff={asked.tariff}
          choosesOwner={seesAll}
          onSaved={(message) => {
            onDone(message);
            close();
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit laadtarief wilt verwijderen"
          onYes={async () => onDone((await removal.mutateAsync({ body: { _id: asked.tariff._id } })).message)}
          onClose={close}
          fallback="Het laadtarief is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{capital(priceText(asked.tariff))}</strong>,{' '}
            {tariffPeriodText(asked.tariff).toLowerCase()}
          </p>
          <p>Rapporten van die dagen rekenen dan met een ouder laadtarief, of tonen geen bedrag.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const labelOf = (tariff: Tariff): string =>
  [
    priceText(tariff),
    tariffPeriodText(tariff).toLowerCase(),
    ...(tariff.terreinName === null ? [] : [`terrein ${tariff.terreinName}`]),
  ].join(', ');
