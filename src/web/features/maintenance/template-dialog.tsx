import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { MaintenanceTemplate, TaskFields } from '#shared/contract/maintenance-templates.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { formatExactNumber, formatNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';

/** A template has at most this many tasks, because a machine can have at most this many plans. */
const MAX_TASKS = 20;
const MAX_INPUT_CHARACTERS = 10;

type TemplateDialogProps = {
  /** The template to change; undefined for a new one. */
  readonly template: MaintenanceTemplate | undefined;
  /** Whether the user must choose the organization of a new template. */
  readonly choosesOwner: boolean;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

type Task = MaintenanceTemplate['tasks'][number];
/** A task in the form. `key` identifies it while the dialog is open. */
type Row = { readonly key: number; readonly task: Task | undefined };

const textIn = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();
const textOf = (value: number | null | undefined): string => (value == null ? '' : formatExactNumber(value));

/** Dialog that makes or changes a template's brand, model and tasks. */
export function TemplateDialog({ template, choosesOwner, onSaved, onClose }: TemplateDialogProps): ReactNode {
  const send = useSendChange();
  const next = useRef(template?.tasks.length ?? 1);
  const [rows, setRows] = useState<readonly Row[]>(
    () => template?.tasks.map((task, key) => ({ key, task })) ?? [{ key: 0, task: undefined }],
  );
  const asksOwner = choosesOwner && !template;
  const owners = useQuery({ ...readQuery('GET /api/organization/get/electric'), enabled: asksOwner });
  const save = async (fields: FormData): Promise<void> => {
    const tasks = rows.map((row) => taskIn(fields, row));
    const { message } = template
      ? await send('POST /api/maintenance/template/edit', { body: { _id: template._id, tasks } })
      : await send('POST /api/maintenance/template/create', {
          body: {
            ...(asksOwner && { organization: textIn(fields, 'organization') }),
            brand: textIn(fields, 'brand'),
            model: textIn(fields, 'model'),
            tasks,
          },
        });
    onSaved(message);
  };
  return (
    <Dialog
      title={template ? `Wijzig ${template.brand} ${template.model}` : 'Nieuw sjabloon'}
      onClose={onClose}
    >
      <DialogBody>
        {template && <p className="quiet small tight">{whatFollows(template)}</p>}
        <Form
          submit="Opslaan"
          onCancel={onClose}
          fallback="Het sjabloon is niet opgeslagen. Probeer het opnieuw."
          check={(fields) => findErrors(fields, rows)}
          onSubmit={save}
        >
          {asksOwner && (
            <FormSelect label="Organisatie" name="organization" required>
              <option value="">Kies Een Organisatie</option>
              {owners.data?.map(({ name, clean }) => (
                <option key={name} value={name}>
                  {clean}
                </option>
              ))}
            </FormSelect>
          )}
          {!template && <ModelFields />}
          {rows.map((row, n) => (
            <TaskFieldset
              key={row.key}
              row={row}
              number={n + 1}
              onRemove={
                rows.length > 1 ? () => setRows(rows.filter(({ key }) => key !== row.key)) : undefined
              }
            />
          ))}
          {rows.length < MAX_TASKS && (
            <Button
              variant="default"
              size="md"
              onClick={() => {
                setRows([...rows, { key: next.current, task: undefined }]);
                next.current += 1;
              }}
            >
              Voeg een taak toe
            </Button>
          )}
        </Form>
      </DialogBody>
    </Dialog>
  );
}

/**
 * Fields for brand and model, which suggest the brands and models of the machines: a template applies to
 * machines with exactly these texts.
 */
function ModelFields(): ReactNode {
  const machines = useQuery(readQuery('GET /api/machine/get/all')).data ?? [];
  const namesOf = (name: 'brand' | 'model'): string[] =>
    [...new Set(machines.map((machine) => machine[name].trim()))].filter(Boolean).sort();
  return (
    <>
      <FormInput
        label={FIELD_TEXTS.brand}
        name="brand"
        required
        maxLength={80}
        autoComplete="off"
        list="template-brands"
      />
      <datalist id="template-brands">
        {namesOf('brand').map((brand) => (
          <option key={brand} value={brand} />
        ))}
      </datalist>
      <FormInput
        label={FIELD_TEXTS.model}
        name="model"
        description="Zoals het bij de machines staat; hoofdletters maken niet uit"
        required
        maxLength={80}
        autoComplete="off"
        list="template-models"
      />
      <datalist id="template-models">
        {namesOf('model').map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}

type TaskFieldsetProps = {
  readonly row: Row;
  /** Number of the task in the list, from 1. */
  readonly number: number;
  readonly onRemove: (() => void) | undefined;
};

const TaskFieldset = ({ row: { key, task }, number, onRemove }: TaskFieldsetProps): ReactNode => (
  <fieldset className="stack framed mb-4 p-3">
    <legend className="px-2">Taak {number}</legend>
    <FormInput
      label={FIELD_TEXTS.planName}
      name={`planName${key}`}
      required
      maxLength={80}
      autoComplete="off"
      placeholder="Grote beurt"
      defaultValue={task?.planName}
    />
    <NumberField
      label={FIELD_TEXTS.everyHours}
      unit="uur"
      maxLength={MAX_INPUT_CHARACTERS}
      name={`everyHours${key}`}
      description="Leeg: niet op draaiuren"
      defaultValue={textOf(task?.everyHours)}
    />
    <NumberField
      label={FIELD_TEXTS.everyMonths}
      unit="maanden"
      maxLength={MAX_INPUT_CHARACTERS}
      name={`everyMonths${key}`}
      description="Leeg: niet op datum. Met beide: wat het eerst komt"
      defaultValue={textOf(task?.everyMonths)}
    />
    {onRemove && (
      <Button variant="default" size="md" aria-label={`Haal weg: taak ${number}`} onClick={onRemove}>
        Haal weg
      </Button>
    )}
  </fieldset>
);

const taskIn = (fields: FormData, { key, task }: Row): TaskFields => ({
  ...(task && { _id: task._id }),
  planName: textIn(fields, `planName${key}`),
  everyHours: parseTypedNumber(textIn(fields, `everyHours${key}`)) ?? null,
  everyMonths: parseTypedNumber(textIn(fields, `everyMonths${key}`)) ?? null,
});

/** Returns the errors in the typed tasks that can be detected without the server. */
function findErrors(fields: FormData, rows: readonly Row[]): readonly InputError[] {
  const names = new Set<string>();
  return rows.flatMap((row): InputError[] => {
    const { key } = row;
    const numbers = (['everyHours', 'everyMonths'] as const).flatMap((name) => {
      const text = textIn(fields, `${name}${key}`);
      const message = `${FIELD_TEXTS[name]} is een getal, zoals 500.`;
      return text === '' || parseTypedNumber(text) !== undefined
        ? []
        : [{ name: `${name}${key}`, word: FIELD_TEXTS[name], message }];
    });
    if (numbers.length > 0) return numbers;
    const { planName, everyHours, everyMonths } = taskIn(fields, row);
    const isTwice = names.has(planName.toLowerCase());
    names.add(planName.toLowerCase());
    return [
      ...(isTwice
        ? [
            {
              name: `planName${key}`,
              word: FIELD_TEXTS.planName,
              message: `${planName} staat er twee keer in.`,
            },
          ]
        : []),
      ...(everyHours === null && everyMonths === null
        ? [
            {
              name: `everyHours${key}`,
              word: FIELD_TEXTS.everyHours,
              message: `${FIELD_TEXTS.everyHours} of maanden: vul minstens een van beide in.`,
            },
          ]
        : []),
    ];
  });
}

/** Returns a text: how many machines' tasks change with the template, and how many stay as they were changed on the machine. */
function whatFollows({ tasks }: MaintenanceTemplate): string {
  const follows = tasks.reduce((sum, task) => sum + task.follows, 0);
  const changed = tasks.reduce((sum, task) => sum + task.changed, 0);
  const parts = [
    follows === 0
      ? 'Nog geen taak op een machine volgt dit sjabloon.'
      : `${formatNumber(follows)} ${follows === 1 ? 'taak op een machine wijzigt' : 'taken op machines wijzigen'} mee.`,
    ...(changed > 0
      ? [
          `${formatNumber(changed)} ${changed === 1 ? 'is' : 'zijn'} op de machine zelf gewijzigd en ${changed === 1 ? 'blijft' : 'blijven'} zo.`,
        ]
      : []),
    'Een nieuwe taak komt op machines als je het sjabloon daarna toepast; een taak die je weghaalt, blijft op de machines.',
  ];
  return parts.join(' ');
}
