import { Button, TextInput } from '@mantine/core';
import { useChange } from '#web/queries/use-change.ts';
import '@mantine/core/styles/Input.css';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Label } from '#shared/contract/labels.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import {
  LABEL_CHARACTERS,
  LABEL_COLOUR_NAMES,
  LABEL_COLOURS,
  type LabelColour,
} from '#shared/domain/labels.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import { failureText } from '#web/lib/api.ts';
import { ownWeekPath } from '#web/lib/own-week-path.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { LabelChip } from './label-chips.tsx';
import styles from './label-editor.module.css';
import { useLabels, useLabelsQuery, useMakeLabel, useSetLabel } from './labels.ts';

/** A machine; `organization` is the name by which the API identifies its organization. */
type Carrier = { readonly serial: string; readonly alias: string; readonly organization: string };

type LabelEditorProps = { readonly machine: Carrier; readonly onClose: () => void };

/** A dialog that assigns labels to a machine, and creates, changes and deletes labels of its organization. */
export function LabelEditor({ machine, onClose }: LabelEditorProps): ReactNode {
  const done = useRef<HTMLButtonElement>(null);
  const query = useLabelsQuery();
  const { labels, ofMachine } = useLabels();
  const [text, setText] = useState('');
  const [changing, setChanging] = useState<Label>();
  const [deleting, setDeleting] = useState<Label>();
  const { mutate: set, error, variables, isPending } = useSetLabel();
  const removal = useChange('POST /api/label/delete');
  const own = labels.filter(({ organization }) => organization === machine.organization);
  const found = searchByWords(own, text, ({ labelName }) => labelName);
  const carried = new Set(ofMachine(machine.serial).map(({ _id }) => _id));
  // Shows the state that the user chose until the portal responds.
  const isOn = ({ _id }: Label): boolean =>
    isPending && variables.id === _id ? variables.isOn : carried.has(_id);
  const isAsking = changing !== undefined || deleting !== undefined;
  const wasAsking = useRef(false);
  useEffect(() => {
    // Moves the focus, because the focused element has been removed.
    if (wasAsking.current && !isAsking) done.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  return (
    <>
      <Dialog title={`Labels van ${machine.alias}`} onClose={onClose}>
        <DialogBody>
          {changing ? (
            <ChangeLabel
              label={changing}
              onDelete={() => setDeleting(changing)}
              onClose={() => setChanging(undefined)}
            />
          ) : (
            <>
              <TextInput
                label="Zoek of maak een label"
                size="md"
                maxLength={LABEL_CHARACTERS}
                autoComplete="off"
                value={text}
                data-first
                onChange={({ currentTarget }) => setText(currentTarget.value)}
              />
              <RetryAlert query={query} fallback="De labels zijn niet geladen." />
              {found.length > 0 && (
                <ul className={`${styles.rows} stack gap-0 scroll`} aria-label="Labels">
                  {found.map((label) => (
                    <li key={label._id} className={`${styles.row} row between shrink`}>
                      <TickBox
                        label={<LabelChip label={label} />}
                        checked={isOn(label)}
                        onChange={({ currentTarget }) =>
                          isPending ||
                          set({ id: label._id, serial: machine.serial, isOn: currentTarget.checked })
                        }
                      />
                      <Button
                        variant="subtle"
                        size="md"
                        aria-label={`Wijzig label ${label.labelName}`}
                        onClick={() => setChanging(label)}
                      >
                        Wijzig
                      </Button>
                    </li>
                  ))}
                </ul>
              )}
              {query.data && own.length === 0 && text === '' && (
                <p className="quiet">Er zijn nog geen labels. Typ een woord om het eerste te maken.</p>
              )}
              <FailureAlert>
                {error ? failureText(error, 'Dit is niet gewijzigd. Probeer het opnieuw.') : undefined}
              </FailureAlert>
              {text.trim() !== '' && !own.some((label) => isSameName(label.labelName, text)) && (
                <NewLabel name={text.trim()} machine={machine} onMade={() => setText('')} />
              )}
            </>
          )}
          <Button ref={done} variant="default" size="md" onClick={onClose}>
            Klaar
          </Button>
        </DialogBody>
      </Dialog>
      {deleting && (
        <ConfirmDialog
          question="Weet je zeker dat je dit label wilt verwijderen"
          onYes={async () => {
            await removal.mutateAsync({ body: { _id: deleting._id } });
            setChanging(undefined);
          }}
          onClose={() => setDeleting(undefined)}
          fallback="Het label is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <LabelChip label={deleting} /> {carriedBy(deleting)}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function carriedBy({ machines: { length } }: Label): string {
  if (length === 0) return 'Geen enkele machine draagt het.';
  return length === 1 ? 'Het gaat van 1 machine af.' : `Het gaat van ${formatNumber(length)} machines af.`;
}

const isSameName = (one: string, other: string): boolean => spelled(one) === spelled(other);
const spelled = (name: string): string => name.trim().normalize('NFC').replace(/\s+/g, ' ').toLowerCase();

type NewLabelProps = { readonly name: string; readonly machine: Carrier; readonly onMade: () => void };

/** Creates a label with the typed name and assigns it to the machine. */
function NewLabel({ name, machine: { serial, organization }, onMade }: NewLabelProps): ReactNode {
  const [colour, setColour] = useState<LabelColour>('blue');
  const { mutate, isPending, error } = useMakeLabel();
  const make = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending)
      mutate({ labelName: name, labelColour: colour, serial, organization }, { onSuccess: onMade });
  };
  return (
    <form className="stack framed p-3" onSubmit={make}>
      <Colours colour={colour} onChange={setColour} />
      <FailureAlert>
        {error ? failureText(error, 'Het label is niet gemaakt. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <BusyButton type="submit" isBusy={isPending}>
        Maak label ‘{name}’
      </BusyButton>
    </form>
  );
}

type ChangeLabelProps = {
  readonly label: Label;
  readonly onDelete: () => void;
  readonly onClose: () => void;
};

/** Form for another name or colour; sends only changed fields. */
function ChangeLabel({ label, onDelete, onClose }: ChangeLabelProps): ReactNode {
  const user = useUser();
  const [name, setName] = useState(label.labelName);
  const [colour, setColour] = useState<LabelColour>(label.labelColour);
  const { mutate, isPending, error } = useChange('POST /api/label/edit');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending) return;
    const changed = {
      ...(name !== label.labelName && { labelName: name }),
      ...(colour !== label.labelColour && { labelColour: colour }),
    };
    if (Object.keys(changed).length === 0) onClose();
    else mutate({ body: { _id: label._id, ...changed } }, { onSuccess: onClose });
  };
  return (
    <form className="stack framed p-3" onSubmit={save}>
      <TextInput
        label="Naam"
        size="md"
        required
        withAsterisk={false}
        maxLength={LABEL_CHARACTERS}
        autoComplete="off"
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Colours colour={colour} onChange={setColour} />
      {isActionAllowed(user, 'manage-users') && (
        <p>
          <TextLink to={ownWeekPath(label.organization, 'label', String(label._id))}>
            Werkweek van dit label
          </TextLink>
        </p>
      )}
      <FailureAlert>
        {error ? failureText(error, 'Het label is niet gewijzigd. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <div className="buttons">
        <BusyButton type="submit" isBusy={isPending}>
          Opslaan
        </BusyButton>
        <Button variant="default" size="md" onClick={onClose}>
          Annuleren
        </Button>
        <DeleteButton of={`label ${label.labelName}`} onClick={onDelete} />
      </div>
    </form>
  );
}

type ColoursProps = { readonly colour: LabelColour; readonly onChange: (colour: LabelColour) => void };

/** Radio buttons for the colours, with their names. */
const Colours = ({ colour, onChange }: ColoursProps): ReactNode => (
  <fieldset className="cluster stretch">
    <legend>Kleur</legend>
    {LABEL_COLOUR_NAMES.map((one) => (
      <label key={one} className={`${styles.colour} row gap-1 touch`}>
        <input type="radio" name="colour" checked={one === colour} onChange={() => onChange(one)} />
        <LabelChip label={{ labelName: LABEL_COLOURS[one], labelColour: one }} />
      </label>
    ))}
  </fieldset>
);
