import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { compareNames } from '#shared/domain/fleet-order.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import { useNow } from '#web/lib/now.ts';
import { useRestoredScroll } from '#web/lib/restored-scroll.ts';
import { useMedia } from '#web/lib/use-media.ts';
import { useFleet } from '#web/live/live.ts';
import { batteryBarsHeightRem } from '#web/machines/battery-levels.tsx';
import { DeletedList } from '#web/machines/deleted-list.tsx';
import { useFirstSteps } from '#web/machines/first-steps.ts';
import { FirstStepsGuide } from '#web/machines/first-steps-guide.tsx';
import { useFleetFigures } from '#web/machines/fleet-figures.ts';
import { addFilterToSearch, fleetFilterOf, WHOLE_FLEET_FILTER } from '#web/machines/fleet-filter.ts';
import { LabelBar, useLabelFilter, useMachinesWithLabels } from '#web/machines/label-bar.tsx';
import { NO_LABEL_FILTER, withLabelFilter } from '#web/machines/label-filter.ts';
import { useLabels } from '#web/machines/labels.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink } from '#web/ui/link.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { MAX_ITEMS_WITHOUT_SEARCH, SearchField } from '#web/ui/searched-list.tsx';
import { VirtualCards } from '#web/ui/virtual-cards.tsx';
import { KeysToReplace } from './keys-to-replace.tsx';
import { MachineCard } from './machine-card.tsx';
import { OldAddresses } from './old-addresses.tsx';
import { PortalTasks } from './portal-tasks.tsx';
import { UnknownLoggers } from './unknown-loggers.tsx';

/** Interval of the page's clock: short, so that the shown ages (whole minutes) change on time. */
const CLOCK_STEP_MS = 10_000;

/** Page '/machine/': the user's machines, and for administrators the links to add, edit and delete them (MLIST-02, MLIST-03). */
export function MachinesPage() {
  const user = useUser();
  const isAdmin = isActionAllowed(user, 'manage-machines');
  const machines = useQuery(readQuery('GET /api/machine/get/all'));
  const firstSteps = useFirstSteps();
  const removal = useChange('DELETE /api/machine/delete');
  const [note, setNote] = useNote();
  const [toDelete, setToDelete] = useState<MachineListEntry>();

  const remove = async ({ serialNumber, alias, organization }: MachineListEntry): Promise<void> => {
    // The server deletes the machine only if alias and organization match, so that an outdated list cannot delete
    // another machine.
    const query = { machine_serial: serialNumber, alias, bedrijf: organization };
    const { message } = await removal.mutateAsync({ query });
    setNote(`${alias}: ${message}`);
  };

  return (
    <Page
      title="Machines"
      back="/"
      action={isAdmin ? <AddLink to="/machine/nieuw" label="Maak een nieuwe machine" /> : undefined}
    >
      <OutcomeNotice note={note} />
      {isActionAllowed(user, 'operate') && <PortalTasks />}
      {isAdmin && <KeysToReplace />}
      {isAdmin && <OldAddresses />}
      {firstSteps && <FirstStepsGuide steps={firstSteps} />}
      <LoadedList query={machines} empty={<NoMachines isAdmin={isAdmin} />}>
        {(all) => <FoundMachines all={all} onDelete={isAdmin ? setToDelete : undefined} />}
      </LoadedList>
      {isAdmin && (
        <>
          <DeletedMachines onRestored={setNote} />
          <UnknownLoggers />
        </>
      )}
      {toDelete && (
        <ConfirmDialog
          question="Weet je zeker dat je deze machine wilt verwijderen"
          onYes={() => remove(toDelete)}
          onClose={() => setToDelete(undefined)}
          fallback="De machine is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>
              {toDelete.alias} (#{toDelete.serialNumber})
            </strong>
            , {toDelete.cleanorg}
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
  /** Opens the dialog that confirms the deletion; undefined if the user may not delete machines. */
  readonly onDelete: ((machine: MachineListEntry) => void) | undefined;
};

/** From these widths on, the list has two or three columns of cards. */
const MIDDLE = '(min-width: 40em)';
const WIDE = '(min-width: 60em)';

/** The machines that match the label filter and the search. */
function FoundMachines({ all, onDelete }: FoundMachinesProps) {
  const [search] = useSearchParams();
  const changeSearch = useChangeSearchParams();
  const [limit, setLimit] = useLabelFilter();
  // The field shows the typed letters at once; the address may follow later.
  const [text, setText] = useState(() => fleetFilterOf(search).text);
  const deferredText = useDeferredValue(text);
  const inOrder = useMemo(() => [...all].sort((a, b) => compareNames(a, b)), [all]);
  const labelled = useMachinesWithLabels(inOrder, limit, serialOf);
  const found = useMemo(() => searchByWords(labelled, deferredText, textOf), [labelled, deferredText]);
  const changeText = (typed: string): void => {
    setText(typed);
    changeSearch((now) => addFilterToSearch(now, { ...fleetFilterOf(now), text: typed }));
  };
  const showAll = (): void => {
    setText('');
    changeSearch((now) => withLabelFilter(addFilterToSearch(now, WHOLE_FLEET_FILTER), NO_LABEL_FILTER));
  };
  useRestoredScroll();
  return (
    <>
      <LabelBar filter={limit} onChange={setLimit} />
      {(all.length > MAX_ITEMS_WITHOUT_SEARCH || text !== '') && (
        <SearchField
          label="Zoek een machine"
          placeholder="Naam, nummer, logger of bedrijf"
          value={text}
          onChange={changeText}
          found={foundText(found.length, all.length)}
        />
      )}
      {found.length === 0 ? (
        <EmptyState title="Niets gevonden">
          <p>Geen enkele machine past bij deze keuze.</p>
          <Button variant="default" size="md" onClick={showAll}>
            Toon alle machines
          </Button>
        </EmptyState>
      ) : (
        <MachineCards machines={found} onDelete={onDelete} />
      )}
    </>
  );
}

const foundText = (found: number, all: number): string =>
  found === all
    ? `${formatNumber(all)} machines`
    : `${formatNumber(found)} van ${formatNumber(all)} machines`;

type MachineCardsProps = {
  readonly machines: readonly MachineListEntry[];
  readonly onDelete: FoundMachinesProps['onDelete'];
};

/** Height of a card with only name, status and organization; then the heights of the parts that some lists add. */
const CARD_REM = 12.5;
const LABELS_REM = 1.875;
const LOGGER_REM = 1.75;
const ACTIONS_REM = 3.5;

/** Cards of the machines, all as high as the fullest card. */
function MachineCards({ machines, onDelete }: MachineCardsProps) {
  const { ofMachine } = useLabels();
  const maySetLabels = isActionAllowed(useUser(), 'set-labels');
  const isMiddle = useMedia(MIDDLE);
  const isWide = useMedia(WIDE);
  const now = useNow(CLOCK_STEP_MS);
  const { data: figures } = useFleetFigures();
  const fleet = useFleet();
  const entries = useMemo(
    () => new Map(fleet.map((entry) => [entry.metadata.serialNumber, entry] as const)),
    [fleet],
  );
  const packs = useMemo(
    () =>
      fleet.reduce(
        (most, { liveData, metadata }) => Math.max(most, batteriesOf(liveData, metadata.batteries).length),
        1,
      ),
    [fleet],
  );
  const rem =
    CARD_REM +
    batteryBarsHeightRem(packs) +
    (machines.some(({ serialNumber }) => ofMachine(serialNumber).length > 0) ? LABELS_REM : 0) +
    (machines.some(({ loggerId, kenteken }) => loggerId !== '' || kenteken !== '') ? LOGGER_REM : 0) +
    (maySetLabels ? ACTIONS_REM : 0);
  return (
    <VirtualCards
      items={machines}
      label="Machines"
      keyOf={serialOf}
      rem={rem}
      across={isWide ? 3 : isMiddle ? 2 : 1}
    >
      {(machine) => (
        <MachineCard
          machine={machine}
          entry={entries.get(machine.serialNumber)}
          photo={figures?.[machine.serialNumber]?.photo}
          now={now}
          onDelete={onDelete && (() => onDelete(machine))}
        />
      )}
    </VirtualCards>
  );
}

const serialOf = ({ serialNumber }: MachineListEntry): string => serialNumber;

function DeletedMachines({ onRestored }: { readonly onRestored: (message: string) => void }) {
  const { mutateAsync: restore } = useChange('POST /api/machine/restore');
  return (
    <DeletedList
      query={useQuery(readQuery('GET /api/machine/get/deleted'))}
      about={({ brand, model, serialNumber }) => `${brand} ${model} · #${serialNumber}`}
      onRestore={async ({ _id, alias }) =>
        onRestored(`${alias}: ${(await restore({ body: { _id } })).message}`)
      }
    />
  );
}

/** Returns the searchable text of a machine. */
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
