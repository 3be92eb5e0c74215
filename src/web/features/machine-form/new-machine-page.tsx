import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { callApi } from '#web/lib/api.ts';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { MoveLogger } from '#web/machines/move-logger.tsx';
import { findDeletedBefore, useRestoreOffer } from '#web/machines/restore-offer.tsx';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { LeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { ChainDialog, CreationResult } from './creation.tsx';
import {
  draftErrors,
  EMPTY_DRAFT,
  INPUT_NAMES,
  isChanged,
  type MachineDraft,
  machineParameters,
} from './machine-draft.ts';
import styles from './machine-form.module.css';
import { MachineInputs } from './machine-inputs.tsx';
import { useCreateChain } from './use-create-chain.ts';

type NewMachinePageProps = {
  /** Renders the upload of a DBC file, for a machine whose configuration cannot be made because it has none. */
  readonly dbc: (serial: string, onStored: () => void) => ReactNode;
};

/** Page '/machine/nieuw': makes a machine (MEDIT-01 to MEDIT-06). */
export function NewMachinePage({ dbc }: NewMachinePageProps) {
  const owners = useQuery(readQuery('GET /api/organization/get/electric'));
  const machines = useQuery(readQuery('GET /api/machine/get/all'));
  const chain = useCreateChain();
  const { existing, elsewhere } = chain.refusal;
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const rules = { isNew: true, loggerKind: draft.loggerKind };
  const isDirty = useRef(false);
  isDirty.current = chain.creation === undefined && isChanged(draft, EMPTY_DRAFT);

  const change = (changes: Partial<MachineDraft>): void => setDraft((now) => ({ ...now, ...changes }));
  const offer = useRestoreOffer();
  const { mutateAsync: restore } = useChange('POST /api/machine/restore');
  const navigate = useNavigate();
  const send = async (): Promise<void> => {
    const { machine_serial: number, bedrijf: organization } = machineParameters(draft);
    const all = await callApi('GET /api/machine/get/deleted');
    const deleted = findDeletedBefore(all, (one) => one.serialNumber, { number, organization });
    const answer = deleted ? await offer.ask(deleted) : 'new';
    if (answer === 'new') await chain.create(draft);
    if (!deleted || answer !== 'restore') return;
    const { message } = await restore({ body: { _id: deleted._id } });
    isDirty.current = false;
    await navigate('/machine/', noteNavigationOptions(`${deleted.alias}: ${message}`));
  };
  const another = (): void => {
    setDraft(EMPTY_DRAFT);
    chain.reset();
  };

  return (
    <Page
      title="Maak Een Nieuwe Machine"
      back="/machine/"
      action={<TextLink to="/machine/handleiding">Handleiding</TextLink>}
    >
      <LeaveGuard isDirty={() => isDirty.current} />
      {offer.dialog}
      {chain.step && <ChainDialog step={chain.step} />}
      {chain.creation ? (
        // The key mounts a new result after each continuation, which scrolls to its top.
        <CreationResult
          key={chain.creation.done.join()}
          creation={chain.creation}
          dbc={dbc}
          onResume={chain.resume}
          onAnother={another}
        />
      ) : (
        <div className={`${styles.columns} stack gap-6 top`}>
          <div className="stack gap-4 shrink">
            <RetryAlert query={owners} fallback="De organisaties zijn niet geladen." />
            <RetryAlert query={machines} fallback="De andere machines zijn niet geladen." />
            <Form
              submit="Maak Machine"
              fallback="De machine is niet gemaakt. Probeer het opnieuw."
              checksAll
              inputNames={INPUT_NAMES}
              check={() => draftErrors(draft, rules)}
              onSubmit={send}
            >
              <MachineInputs
                draft={draft}
                onChange={change}
                rules={rules}
                owners={owners.data ?? []}
                machines={machines.data ?? []}
                belowLogger={
                  elsewhere?.loggerSerial === draft.loggerSerial.trim() && (
                    <MoveLogger
                      logger={elsewhere}
                      consequence="De machine wordt dan meteen gemaakt."
                      onMove={({ at }) => chain.create(draft, at)}
                    />
                  )
                }
              />
            </Form>
            {existing !== undefined && (
              <TextLink to={`/machine/edit/${encodeURIComponent(existing)}`}>
                Bekijk machine {existing}
              </TextLink>
            )}
          </div>
          <aside className="stack gap-4 shrink" aria-label="Hoe het gaat">
            <Panel title="Hoe het gaat">
              <ol className="stack gap-1 numbered">
                <li>De machine wordt gemaakt.</li>
                <li>De logger wordt aan de machine gekoppeld.</li>
                <li>De configuratie van de logger wordt gemaakt.</li>
                <li>
                  {draft.loggerKind === 'canedge'
                    ? 'De instellingen staan op de pagina van de machine: zet ze in de CANedge.'
                    : 'config.xml wordt gedownload: laad dat bestand in de logger.'}
                </li>
              </ol>
            </Panel>
          </aside>
        </div>
      )}
    </Page>
  );
}
