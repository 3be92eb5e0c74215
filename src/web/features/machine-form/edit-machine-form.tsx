import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DefinitionChange } from '#shared/contract/definition.ts';
import type { MachineDetails } from '#shared/contract/machines.ts';
import { ApiError, callApi } from '#web/lib/api.ts';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { readQuery } from '#web/queries/read.ts';
import { refreshQueries } from '#web/queries/use-change.ts';
import { ChangeList } from '#web/ui/change-list.tsx';
import { ConfirmDialog, LeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import {
  differingFieldLabels,
  draftErrors,
  editingAfterReload,
  INPUT_NAMES,
  isChanged,
  type MachineDraft,
  type MachineEditing,
  machineDraftOf,
  machineParameters,
  rebaseMachineDraft,
  unsentAccessoryText,
} from './machine-draft.ts';
import { MachineInputs } from './machine-inputs.tsx';
import { SaleDialog } from './sale-dialog.tsx';

const RULES = { isNew: false } as const;

/** Form that changes a machine's record (MEDIT-07). `machine` is the latest record from the server. */
export function EditMachineForm({ machine }: { readonly machine: MachineDetails }) {
  const owners = useQuery(readQuery('GET /api/organization/get/electric'));
  const machines = useQuery(readQuery('GET /api/machine/get/all'));
  const client = useQueryClient();
  const navigate = useNavigate();
  const [{ base, draft }, setEditing] = useState<MachineEditing>({
    base: machine,
    draft: machineDraftOf(machine),
  });
  const [newer, setNewer] = useState<MachineDetails>();
  const [note, setNote] = useState<string>();
  const [buyer, setBuyer] = useState<string>();
  const [replaced, setReplaced] = useState<readonly DefinitionChange[]>();
  const isSaved = useRef(false);

  useEffect(() => setEditing((editing) => editingAfterReload(editing, machine)), [machine]);

  const change = (changes: Partial<MachineDraft>): void =>
    setEditing((now) => ({ ...now, draft: { ...now.draft, ...changes } }));

  /** Saves the machine, after a confirmation if another reference machine would remove parts of the data definition. */
  const askAndSave = async (): Promise<void> => {
    const changes = await referenceChanges(base, draft);
    if (changes.some(({ isLoss }) => isLoss)) setReplaced(changes);
    else await save();
  };

  const save = async (): Promise<void> => {
    setNote(undefined);
    const { influx_serial: _, ...record } = machineParameters(draft);
    const body = { ...record, current_serial: base.serialNumber, version: String(base.version) };
    try {
      const { serialNumber, message } = await callApi('POST /api/machine/edit', { body });
      isSaved.current = true;
      // Marks the queries as outdated without a refetch, because the record under the former serial number no longer
      // exists.
      void refreshQueries(client, 'POST /api/machine/edit', 'none');
      await navigate(
        `/machine/${encodeURIComponent(serialNumber)}`,
        noteNavigationOptions([message, unsentAccessoryText(draft)].filter(Boolean).join(' ')),
      );
    } catch (error) {
      const changed = await changedSince(error, base);
      if (!changed) throw error;
      setNewer(changed);
    }
  };

  return (
    <>
      <LeaveGuard isDirty={() => !isSaved.current && isChanged(draft, machineDraftOf(base))} />
      <RetryAlert query={owners} fallback="De organisaties zijn niet geladen." />
      <RetryAlert query={machines} fallback="De andere machines zijn niet geladen." />
      <Form
        submit="Machine Opslaan"
        fallback="De machine is niet opgeslagen. Probeer het opnieuw."
        checksAll
        inputNames={INPUT_NAMES}
        check={() => draftErrors(draft, RULES)}
        onSubmit={askAndSave}
      >
        <MachineInputs
          draft={draft}
          onChange={change}
          onOwner={setBuyer}
          rules={RULES}
          owners={withOwn(owners.data ?? [], base)}
          machines={(machines.data ?? []).filter(({ serialNumber }) => serialNumber !== base.serialNumber)}
        />
      </Form>
      <Button variant="default" size="md" onClick={() => setBuyer('')}>
        Verkoop of verplaats
      </Button>
      <Notice>{note}</Notice>
      {buyer !== undefined && (
        <SaleDialog
          machine={base}
          owners={(owners.data ?? []).filter(({ name }) => name !== base.organization)}
          chosen={buyer}
          onSold={setNote}
          onClose={() => setBuyer(undefined)}
        />
      )}
      {replaced && (
        <ConfirmDialog
          question={`Weet je zeker dat je de datadefinitie wilt vervangen door die van ${draft.reference}`}
          fallback="De machine is niet opgeslagen. Probeer het opnieuw."
          onYes={save}
          onClose={() => setReplaced(undefined)}
        >
          <p>
            Een andere vergelijkbare machine komt met haar eigen datadefinitie. Dit verandert er; de versie
            van nu blijft op de pagina Datadefinitie bij Eerdere versies staan.
          </p>
          <ChangeList changes={replaced} />
        </ConfirmDialog>
      )}
      {newer && (
        <ConflictDialog
          base={machineDraftOf(base)}
          draft={draft}
          newer={machineDraftOf(newer)}
          onKeep={() => {
            setEditing({
              base: newer,
              draft: rebaseMachineDraft(draft, machineDraftOf(base), machineDraftOf(newer)),
            });
            setNote('Je invoer staat nog in het formulier. Kijk hem na en sla opnieuw op.');
          }}
          onReload={() => {
            setEditing({ base: newer, draft: machineDraftOf(newer) });
            setNote('De machine is opnieuw geladen.');
          }}
          onClose={() => setNewer(undefined)}
        />
      )}
    </>
  );
}

type ConflictDialogProps = {
  /** The saved record from which the user began to edit. */
  readonly base: MachineDraft;
  readonly draft: MachineDraft;
  /** The record that another user saved meanwhile. */
  readonly newer: MachineDraft;
  readonly onKeep: () => void;
  readonly onReload: () => void;
  readonly onClose: () => void;
};

/** Dialog if another user saved the machine meanwhile: lists that user's changes; asks whether to keep this user's unsaved input. */
function ConflictDialog(props: ConflictDialogProps) {
  const { base, draft, newer, onKeep, onReload, onClose } = props;
  const theirs = differingFieldLabels(base, newer);
  const both = differingFieldLabels(draft, base).filter((word) => theirs.includes(word));
  const answer = (choose: () => void) => () => {
    choose();
    onClose();
  };
  return (
    <Dialog title="Iemand anders heeft deze machine intussen gewijzigd" onClose={onClose}>
      <DialogBody>
        {theirs.length > 0 && <p>Gewijzigd: {theirs.join(', ')}.</p>}
        {both.length > 0 && (
          <p>
            <strong>Ook door jou gewijzigd: {both.join(', ')}.</strong> Als je je invoer houdt, komt die bij
            het opslaan in de plaats van die van de ander.
          </p>
        )}
        <p>Er is nog niets opgeslagen.</p>
        <Button size="md" onClick={answer(onKeep)} data-first>
          Houd mijn invoer, neem de rest over
        </Button>
        <Button size="md" variant="default" onClick={answer(onReload)}>
          Laad opnieuw, zonder mijn invoer
        </Button>
      </DialogBody>
    </Dialog>
  );
}

/** Returns what a newly chosen reference machine would change in the data definition; empty if the user chose none. */
async function referenceChanges(
  { serialNumber: serial, dbc_machine }: MachineDetails,
  { reference }: MachineDraft,
): Promise<readonly DefinitionChange[]> {
  if (reference === '' || reference === dbc_machine) return [];
  const query = { dbc_machine: reference };
  return (await callApi('GET /api/machine/dbc/:serial/reference', { params: { serial }, query })).changes;
}

/** Returns the present record if a save failed because another user changed it; else undefined. */
async function changedSince(error: unknown, base: MachineDetails): Promise<MachineDetails | undefined> {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return undefined;
  const query = { serialNumber: base.serialNumber };
  const now = await callApi('GET /api/machine/get/serial', { query }).catch(() => undefined);
  return now && now.version !== base.version ? now : undefined;
}

/** Returns the organizations to choose from, plus the machine's present owner if it is no longer a customer for machines. */
const withOwn = (
  owners: readonly { readonly name: string; readonly clean: string }[],
  { organization, cleanorg }: MachineDetails,
) =>
  owners.some(({ name }) => name === organization)
    ? owners
    : [{ name: organization, clean: cleanorg }, ...owners];
