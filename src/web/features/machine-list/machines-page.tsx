import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { may } from '#shared/domain/access.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { DeletedList } from '#web/machines/deleted-list.tsx';
import { FavouriteButton } from '#web/machines/favourite-button.tsx';
import { LabelBar, useLabelFilter, useLabelled } from '#web/machines/label-bar.tsx';
import { LabelButton } from '#web/machines/label-button.tsx';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { ANY_LABEL } from '#web/machines/label-filter.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, CardTitle, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink } from '#web/ui/link.tsx';
import { Outcome } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import {
  useDeletedMachines,
  useDeleteMachine,
  useMachines,
  useRestoreMachine,
} from './machine-list-calls.ts';
import styles from './machines-page.module.css';
import { UnknownLoggers } from './unknown-loggers.tsx';

/** /machine/: the machines of who is signed in, and for administrators the whole of MLIST-02 and MLIST-03. */
export function MachinesPage() {
  const isAdmin = may(useUser(), 'manage-machines');
  const machines = useMachines();
  const removal = useDeleteMachine();
  const [note, setNote] = useNote();
  const [asked, setAsked] = useState<MachineListEntry>();

  const remove = async (machine: MachineListEntry): Promise<void> => {
    const { message } = await removal.mutateAsync(machine);
    setNote(`${machine.alias}: ${message}`);
  };

  return (
    <Page
      title="Machines"
      back="/"
      action={isAdmin ? <AddLink to="/machine/nieuw" label="Maak een nieuwe machine" /> : undefined}
    >
      <Outcome note={note} />
      <LoadedList query={machines} empty={<NoMachines isAdmin={isAdmin} />}>
        {(all) => <FoundMachines all={all} onDelete={isAdmin ? setAsked : undefined} />}
      </LoadedList>
      {isAdmin && (
        <>
          <DeletedMachines onRestored={setNote} />
          <UnknownLoggers />
        </>
      )}
      {asked && (
        <ConfirmDialog
          question="Weet je zeker dat je deze machine wilt verwijderen"
          onYes={() => remove(asked)}
          onClose={() => setAsked(undefined)}
          fallback="De machine is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>
              {asked.alias} (#{asked.serialNumber})
            </strong>
            , {asked.cleanorg}
          </p>
          <p>
            Haar foto en haar abonnementen gaan verloren, en haar logger wordt geweigerd. Haar metingen en de
            sleutel van de logger blijven nog een tijd: zo lang kun je haar onder ‘Verwijderde machines’
            terugzetten.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type FoundMachinesProps = {
  readonly all: readonly MachineListEntry[];
  /** Asks whether to delete; undefined for who may not. */
  readonly onDelete: ((machine: MachineListEntry) => void) | undefined;
};

/** Those with the labels that are looked at, and the words that are looked for. */
function FoundMachines({ all, onDelete }: FoundMachinesProps) {
  const [limit, setLimit] = useLabelFilter();
  const labelled = useLabelled(all, limit, serialOf);
  return (
    <>
      <LabelBar filter={limit} onChange={setLimit} />
      {labelled.length === 0 ? (
        <EmptyState title="Niets gevonden">
          <p>Geen enkele machine past bij deze keuze.</p>
          <Button variant="default" size="md" onClick={() => setLimit(ANY_LABEL)}>
            Toon alle machines
          </Button>
        </EmptyState>
      ) : (
        <SearchedList
          items={labelled}
          textOf={textOf}
          label="Zoek een machine"
          placeholder="Naam, nummer, logger of bedrijf"
          plural="machines"
        >
          {(found) => (
            <CardList label="Machines" items={found} keyOf={({ _id }) => _id}>
              {(machine) => (
                <MachineCard machine={machine} onDelete={onDelete && (() => onDelete(machine))} />
              )}
            </CardList>
          )}
        </SearchedList>
      )}
    </>
  );
}

const serialOf = ({ serialNumber }: MachineListEntry): string => serialNumber;

function DeletedMachines({ onRestored }: { readonly onRestored: (message: string) => void }) {
  const { mutateAsync: restore } = useRestoreMachine();
  return (
    <DeletedList
      query={useDeletedMachines()}
      about={({ brand, model, serialNumber }) => `${brand} ${model} · #${serialNumber}`}
      onRestore={async ({ _id, alias }) => onRestored(`${alias}: ${(await restore(_id)).message}`)}
    />
  );
}

const textOf = ({
  model,
  alias,
  brand,
  serialNumber,
  cleanorg: organizationName,
  loggerId,
  kenteken,
}: MachineListEntry): string =>
  `${brand} ${model}\n${alias}\n${serialNumber}\n${organizationName}\n${loggerId}\n${kenteken}`;

function NoMachines({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <EmptyState title="Er zijn nog geen machines">
      <p>
        {isAdmin
          ? 'Maak de eerste met de ronde knop hierboven.'
          : 'De beheerder van het portaal voegt machines aan je organisatie toe.'}
      </p>
    </EmptyState>
  );
}

type MachineCardProps = {
  readonly machine: MachineListEntry;
  /** Asks whether to delete; undefined for who may not. */
  readonly onDelete: (() => void) | undefined;
};

/** Model, name, serial number, brand and company; the whole card leads to the machine (MLIST-01, MLIST-02). */
function MachineCard({ machine, onDelete }: MachineCardProps) {
  const {
    model,
    alias,
    brand,
    serialNumber,
    organization,
    cleanorg: organizationName,
    loggerId,
    kenteken,
  } = machine;
  const maySetLabels = may(useUser(), 'set-labels');
  const path = encodeURIComponent(serialNumber);
  return (
    <>
      <CardTitle to={`/machine/${path}`} label={`${model}, ${alias}, ${serialNumber}`}>
        {model}
      </CardTitle>
      <p className={styles.alias}>{alias}</p>
      <p>#{serialNumber}</p>
      <p>{brand}</p>
      <p>{organizationName}</p>
      {loggerId !== '' && <p>Logger {loggerId}</p>}
      {kenteken !== '' && <p>Kenteken {kenteken}</p>}
      <LabelChips serial={serialNumber} />
      <div className={styles.favourite}>
        <FavouriteButton serial={serialNumber} alias={alias} />
      </div>
      {maySetLabels && (
        <CardActions>
          {onDelete && (
            <Button
              component={Link}
              to={`/machine/edit/${path}`}
              variant="default"
              size="md"
              aria-label={`Edit ${alias}`}
            >
              Edit
            </Button>
          )}
          <LabelButton serial={serialNumber} alias={alias} organization={organization} />
          {onDelete && <DeleteButton of={alias} onClick={onDelete} />}
        </CardActions>
      )}
    </>
  );
}
