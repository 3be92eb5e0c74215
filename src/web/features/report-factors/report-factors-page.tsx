import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReportFactor, ReportFactorKind } from '#shared/contract/report-factors.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { FactorDialog } from './factor-dialog.tsx';
import { amountText, FACTOR_KINDS, factorSinceText, KIND_TEXTS, powerClassText } from './factor-text.ts';
import { TariffSection } from './tariff-section.tsx';

type Asked =
  | { readonly what: 'save'; readonly kind: ReportFactorKind; readonly factor?: ReportFactor }
  | { readonly what: 'delete'; readonly factor: ReportFactor };

/** Page '/rapporten/factoren': the factors with which reports compute CO2 and diesel; only a beheerder can change them. */
export function ReportFactorsPage() {
  const user = useUser();
  const factors = useQuery(readQuery('GET /api/report-factor/get'));
  const removal = useChange('POST /api/report-factor/delete');
  const [note, setNote] = useNote();
  const [asked, setAsked] = useState<Asked>();
  const isManager = isActionAllowed(user, 'manage-projects');
  const seesAll = user.organization === ADMIN_ORGANIZATION;
  const close = (): void => setAsked(undefined);
  return (
    <Page title="Factoren" back="/rapporten">
      <OutcomeNotice note={note} />
      <p className="measure mb-6">
        Hiermee rekenen rapporten uit hoeveel CO2 de stroom kostte en hoeveel diesel is vermeden. Er is niets
        vooraf ingevuld. Een nieuwere factor komt vanaf zijn dag in de plaats van een oudere.
      </p>
      {FACTOR_KINDS.map((kind) => (
        <section key={kind} className="mb-8" aria-labelledby={`factors-${kind}`}>
          <div className="split mb-3">
            <h2 id={`factors-${kind}`}>{KIND_TEXTS[kind].title}</h2>
            {isManager && (
              <Button size="md" variant="default" onClick={() => setAsked({ what: 'save', kind })}>
                {KIND_TEXTS[kind].add}
              </Button>
            )}
          </div>
          <FactorList
            kind={kind}
            query={factors}
            seesAll={seesAll}
            onEdit={isManager ? (factor) => setAsked({ what: 'save', kind, factor }) : undefined}
            onDelete={(factor) => setAsked({ what: 'delete', factor })}
          />
        </section>
      ))}
      <TariffSection isManager={isManager} seesAll={seesAll} onDone={setNote} />
      {asked?.what === 'save' && (
        <FactorDialog
          kind={asked.kind}
          factor={asked.factor}
          choosesOwner={seesAll}
          onSaved={(message) => {
            setNote(message);
            close();
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je deze factor wilt verwijderen"
          onYes={async () =>
            setNote((await removal.mutateAsync({ body: { _id: asked.factor._id } })).message)
          }
          onClose={close}
          fallback="De factor is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{amountText(asked.factor)}</strong>, {factorSinceText(asked.factor).toLowerCase()}
          </p>
          <p>Rapporten van die dagen rekenen dan met een oudere factor, of met geen.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type FactorListProps = {
  readonly kind: ReportFactorKind;
  readonly query: UseQueryResult<readonly ReportFactor[]>;
  /** Whether the list has factors of all organizations; each factor then names its organization. */
  readonly seesAll: boolean;
  /** undefined for users who may not change factors. */
  readonly onEdit: ((factor: ReportFactor) => void) | undefined;
  readonly onDelete: (factor: ReportFactor) => void;
};

function FactorList({ kind, query, seesAll, onEdit, onDelete }: FactorListProps) {
  const { without, title } = KIND_TEXTS[kind];
  const empty = (
    <EmptyState title="Nog niets ingesteld">
      <p>{without}</p>
    </EmptyState>
  );
  return (
    <LoadedList query={query} empty={empty}>
      {(all) => {
        const ofKind = all.filter(({ factorKind }) => factorKind === kind);
        if (ofKind.length === 0) return empty;
        return (
          <CardList label={title} items={ofKind} keyOf={({ _id }) => _id}>
            {(factor) => (
              <>
                <h3>{amountText(factor)}</h3>
                {kind === 'diesel' && <p>Machines van {powerClassText(factor)}</p>}
                <p>{factorSinceText(factor)}</p>
                {kind === 'diesel' && <p>Vergeleken met {factor.comparedTo}</p>}
                <p>Bron: {factor.factorSource}</p>
                {seesAll && <p>{factor.cleanorg}</p>}
                {onEdit && (
                  <CardActions>
                    <Button
                      variant="default"
                      size="md"
                      aria-label={`Wijzig ${labelOf(factor)}`}
                      onClick={() => onEdit(factor)}
                    >
                      Wijzig
                    </Button>
                    <DeleteButton of={labelOf(factor)} onClick={() => onDelete(factor)} />
                  </CardActions>
                )}
              </>
            )}
          </CardList>
        );
      }}
    </LoadedList>
  );
}

const labelOf = (factor: ReportFactor): string =>
  [
    amountText(factor),
    ...(factor.factorKind === 'diesel' ? [powerClassText(factor)] : []),
    factorSinceText(factor).toLowerCase(),
  ].join(', ');
