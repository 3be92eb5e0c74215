import type { ReactNode } from 'react';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { SEB_CATEGORIES, SEB_CATEGORY_LABELS } from '#shared/domain/machine-values.ts';
import { LoggerKindSelect } from '#web/machines/logger-kind.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import { useInputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';
import { AccessoryEditor, AccessoryImport } from './accessories.tsx';
import { BatteryEditor } from './battery-editor.tsx';
import type { MachineDraft } from './machine-draft.ts';
import {
  type DraftRules,
  FIELDS,
  type FieldAppearance,
  type FieldName,
  FORM_ORDER,
} from './machine-fields.ts';
import styles from './machine-form.module.css';
import { MachineSelect } from './machine-select.tsx';

type MachineInputsProps = {
  readonly draft: MachineDraft;
  readonly onChange: (change: Partial<MachineDraft>) => void;
  /** Called when another owner is chosen, which opens the dialog of a sale; undefined for a new machine, which has no owner. */
  readonly onOwner?: (organization: string) => void;
  readonly rules: DraftRules;
  /** The organizations to choose from, with their functional and display names. */
  readonly owners: readonly Pick<Organization, 'name' | 'clean'>[];
  readonly machines: readonly MachineListEntry[];
  /** Shown below the logger's serial number. */
  readonly belowLogger?: ReactNode;
};

/** All inputs of a machine, with the names of MEDIT-01 (MEDIT-14). */
export const MachineInputs = (props: MachineInputsProps) => (
  <div className="fields gap-4">
    {FORM_ORDER.map((field) => (
      <FieldInput key={field} field={field} {...props} />
    ))}
  </div>
);

type FieldInputProps = MachineInputsProps & { readonly field: FieldName };

function FieldInput(props: FieldInputProps) {
  const { field, draft, onChange, onOwner, rules, owners, machines, belowLogger } = props;
  const appearance: FieldAppearance = FIELDS[field];
  const error = useInputError(appearance.name);
  switch (appearance.kind) {
    case 'organization':
      return (
        <FormSelect
          className={styles.wide}
          label={appearance.word}
          name="organization"
          required
          value={draft.organization}
          description={onOwner && 'Een andere keuze opent Verkoop of verplaats'}
          onChange={({ currentTarget: { value } }) =>
            onOwner && value !== '' ? onOwner(value) : onChange({ organization: value })
          }
        >
          {!onOwner && <option value="">Kies Een Organisatie</option>}
          {owners.map(({ name, clean }) => (
            <option key={name} value={name}>
              {clean}
            </option>
          ))}
        </FormSelect>
      );
    case 'reference':
      return (
        <div className={styles.wide}>
          <MachineSelect
            label={appearance.word}
            name="dbc_machine"
            description={
              rules.isNew
                ? 'De logger krijgt een kopie van haar datadefinitie. Leeg: een eigen datadefinitie.'
                : 'Een andere keuze geeft de logger een kopie van haar datadefinitie.'
            }
            placeholder="Kies een machine"
            nothingFound="Geen machine met een datadefinitie gevonden"
            error={error}
            machines={machines.filter(
              ({ hasDefinition, serialNumber }) => hasDefinition || serialNumber === draft.reference,
            )}
            value={draft.reference}
            onChange={(reference) => onChange({ reference })}
          />
        </div>
      );
    case 'batteries':
      return (
        <div className={styles.wide}>
          <BatteryEditor
            error={error}
            capacities={draft.batteries}
            onChange={(batteries) => onChange({ batteries })}
          />
        </div>
      );
    case 'accessories':
      return (
        <>
          <div className={styles.wide}>
            <AccessoryImport machines={machines} onImport={(accessories) => onChange({ accessories })} />
          </div>
          <div className={styles.wide}>
            <AccessoryEditor fields={draft} onChange={onChange} />
          </div>
        </>
      );
    case 'seb-category':
      return (
        <FormSelect
          label={appearance.word}
          name="seb_categorie"
          description="Bijlage 1 van de SPUK SEB"
          value={draft.sebCategory}
          onChange={({ currentTarget }) => onChange({ sebCategory: currentTarget.value })}
        >
          <option value="">Geen</option>
          {SEB_CATEGORIES.map((category) => (
            <option key={category} value={category}>
              {SEB_CATEGORY_LABELS[category]}
            </option>
          ))}
        </FormSelect>
      );
    default:
      if (appearance.unit !== undefined)
        return (
          <NumberField
            label={appearance.word}
            name={appearance.name ?? field}
            unit={appearance.unit}
            rightSection={appearance.unit}
            rightSectionWidth="3rem"
            maxLength={64}
            value={draft[field] as string}
            onChange={(typed) => onChange({ [field]: typed })}
          />
        );
      return (
        <>
          {field === 'loggerSerial' && rules.isNew && (
            <LoggerKindSelect
              className={styles.wide}
              kind={draft.loggerKind}
              onChange={(loggerKind) => onChange({ loggerKind })}
            />
          )}
          <div>
            <FormInput
              label={appearance.label?.(rules) ?? appearance.word}
              name={appearance.name ?? field}
              description={appearance.description?.(rules)}
              readOnly={appearance.isReadOnly?.(rules) ?? false}
              placeholder={appearance.placeholder}
              inputMode={appearance.inputMode?.(rules)}
              required={appearance.isRequired?.(rules) ?? false}
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              value={draft[field] as string}
              onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
            />
            {field === 'loggerSerial' && belowLogger}
          </div>
        </>
      );
  }
}
