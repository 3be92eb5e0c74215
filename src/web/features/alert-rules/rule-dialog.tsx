import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { ADMIN_ORGANIZATION, isActionAllowed, type Role, rolesIn } from '#shared/domain/access.ts';
import { SETTING_NAMES, SEVERITY_TEXTS, type SettingName } from '#shared/domain/alerts/kinds/kind.ts';
import {
  ALERT_KIND_NAMES,
  type AlertKind,
  isOperatorKind,
  kindDefinition,
  RULE_HOURS_LABELS,
  ruleHoursOfKind,
} from '#shared/domain/alerts/kinds.ts';
import { DAILY_MAIL_AT } from '#shared/domain/alerts/quiet-hours.ts';
import { ruleSentence } from '#shared/domain/alerts/rule-sentence.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { useFleet } from '#web/live/live.ts';
import { useLabels } from '#web/machines/labels.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { PickList, type PickOption } from '#web/ui/pick-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { useMachinesText } from './machines-text.ts';
import {
  conditionOf,
  defaultRule,
  formatSettings,
  isConditionValid,
  MACHINE_SELECTION_TEXTS,
  MACHINE_SELECTIONS,
  type MachineSelection,
  offeredKinds,
  type RuleFields,
  ruleErrors,
} from './rule-fields.ts';
import { RulePreview } from './rule-preview.tsx';

type RuleDialogProps = {
  /** The rule to change; undefined for a new rule. */
  readonly rule: AlertRule | undefined;
  /**
   * Kind of alert that is selected first for a new rule. If it is a kind about the portal itself, the user can choose
   * only among those kinds.
   */
  readonly kind: AlertKind | undefined;
  /** Values of a new rule that differ from the default. */
  readonly start?: Partial<RuleFields> | undefined;
  /** The organization's name in calls (functional name); undefined: the user's own, or an administrator must still choose one. */
  readonly organization?: string | undefined;
  readonly isOwn: boolean;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

/** For a field that the server refuses, the name of the input that shows the error, if the two names differ. */
const INPUTS = {
  ...Object.fromEntries(SETTING_NAMES.flatMap((name) => [[`settings.${name}`, name]])),
  'machines.ids': 'machines',
  'machines.serials': 'machines',
  roles: 'people',
};

/** Dialog that makes or changes a rule. */
export function RuleDialog({
  rule,
  kind = ALERT_KIND_NAMES[0],
  start,
  organization,
  isOwn,
  onSaved,
  onClose,
}: RuleDialogProps): ReactNode {
  const user = useUser();
  const send = useSendChange();
  const [fields, setFields] = useState<RuleFields>(() => rule ?? { ...defaultRule(kind, isOwn), ...start });
  const [typed, setTyped] = useState(() => formatSettings(fields.settings));
  const isOfPortal = isOperatorKind(kind);
  const asksOwner = user.organization === ADMIN_ORGANIZATION && !rule && !isOfPortal;
  const [owner, setOwner] = useState(
    rule?.organization ?? organization ?? (asksOwner ? '' : user.organization),
  );
  const owners = useQuery({ ...readQuery('GET /api/organization/get/electric'), enabled: asksOwner });
  const definition = kindDefinition(fields.kind);
  const change = (next: Partial<RuleFields>): void => setFields((before) => ({ ...before, ...next }));
  /**
   * Changes the kind. Severity and settings get the defaults of the new kind; the hours only if the new kind does not
   * allow them, the name only if it was the default of the previous kind.
   */
  const changeKind = (next: AlertKind): void => {
    const usual = defaultRule(next, isOwn);
    const isNamed = fields.ruleName !== kindDefinition(fields.kind).word;
    change({
      ...fields,
      kind: next,
      severity: usual.severity,
      ...(!ruleHoursOfKind(next).includes(fields.hours) && { hours: usual.hours }),
      ...(!isNamed && { ruleName: usual.ruleName }),
    });
    setTyped(formatSettings(usual.settings));
  };
  /** Changes the hours. A daily mail would come too late for events outside working hours, so those become urgent. */
  const changeHours = (hours: RuleFields['hours']): void =>
    change({
      hours,
      ...(hours === 'outside' && fields.severity === 'daily' && { severity: 'urgent' }),
    });
  const condition = conditionOf({ ...fields, typed });
  const machinesOf = useMachinesText();
  const isComplete = owner !== '' && isConditionValid({ ...fields, typed, isOwn });
  const save = async (): Promise<void> => {
    const body = {
      ruleName: fields.ruleName.trim(),
      ...condition,
      severity: fields.severity,
      people: fields.people,
      roles: fields.roles,
      tellsEnd: fields.tellsEnd,
      isOn: fields.isOn,
      isOwn,
      ...(rule && { _id: rule._id }),
      ...(asksOwner && { organization: owner }),
    };
    const { message } = await send('POST /api/alert-rule/save', { body });
    onSaved(message);
    onClose();
  };
  return (
    <Dialog
      title={rule ? `Wijzig ${rule.ruleName}` : isOwn ? 'Nieuwe regel voor jou' : 'Nieuwe regel'}
      onClose={onClose}
    >
      <DialogBody>
        <Form
          submit={rule ? 'Opslaan' : 'Opslaan en aanzetten'}
          onCancel={onClose}
          fallback="De regel is niet opgeslagen. Probeer het opnieuw."
          checksAll
          inputNames={INPUTS}
          check={() => [
            ...(asksOwner && owner === '' ? [NO_OWNER] : []),
            ...ruleErrors({ ...fields, typed, isOwn }),
          ]}
          onSubmit={save}
        >
          {asksOwner && (
            <FormSelect
              label={FIELD_TEXTS.organization}
              name="organization"
              value={owner}
              onChange={({ currentTarget }) => {
                setOwner(currentTarget.value);
                change({ machines: { by: 'all' }, people: [] });
              }}
            >
              <option value="">Kies Een Organisatie</option>
              {owners.data
                ?.filter(({ name }) => name !== ADMIN_ORGANIZATION)
                .map(({ name, clean }) => (
                  <option key={name} value={name}>
                    {clean}
                  </option>
                ))}
            </FormSelect>
          )}
          {rule ? (
            <p className="quiet">
              {definition.word}. {definition.explanation}
            </p>
          ) : (
            <FormSelect
              label="Waarover"
              name="kind"
              description={definition.explanation}
              value={fields.kind}
              onChange={({ currentTarget }) => changeKind(currentTarget.value as AlertKind)}
            >
              {offeredKinds(isOfPortal, user.seesRoutes).map((one) => (
                <option key={one} value={one}>
                  {kindDefinition(one).word}
                </option>
              ))}
            </FormSelect>
          )}
          <FormInput
            label="Naam"
            name="ruleName"
            autoComplete="off"
            maxLength={60}
            value={fields.ruleName}
            onChange={({ currentTarget }) => change({ ruleName: currentTarget.value })}
          />
          {!isOfPortal && (
            <MachineFields
              machines={fields.machines}
              owner={owner}
              onChange={(machines) => change({ machines })}
            />
          )}
          <div className="halves top unless-empty">
            {SETTING_NAMES.map((name) => (
              <SettingInput
                key={name}
                {...{ name, kind: fields.kind }}
                value={typed[name] ?? ''}
                onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
              />
            ))}
          </div>
          {!definition.hasOwnHours && (
            <FormSelect
              label="Wanneer"
              name="hours"
              description={
                fields.hours === 'outside' &&
                'Een machine die volgens haar werkweek dag en nacht werkt, geeft deze meldingen niet.'
              }
              value={fields.hours}
              onChange={({ currentTarget }) => changeHours(currentTarget.value as RuleFields['hours'])}
            >
              {ruleHoursOfKind(fields.kind).map((hours) => (
                <option key={hours} value={hours}>
                  {RULE_HOURS_LABELS[hours]}
                </option>
              ))}
            </FormSelect>
          )}
          <FormSelect
            label="Hoe erg"
            name="severity"
            description={`Dringend komt ook in iemands stille uren; dagelijks in één mail om ${DAILY_MAIL_AT}.`}
            value={fields.severity}
            onChange={({ currentTarget }) =>
              change({ severity: currentTarget.value as RuleFields['severity'] })
            }
          >
            {Object.entries(SEVERITY_TEXTS).map(([severity, word]) => (
              <option key={severity} value={severity}>
                {word}
              </option>
            ))}
          </FormSelect>
          {!isOwn && (
            <RecipientFields owner={owner} roles={fields.roles} people={fields.people} onChange={change} />
          )}
          <TickBox
            label="Vertel het ook als het voorbij is"
            checked={fields.tellsEnd}
            onChange={({ currentTarget: { checked } }) => change({ tellsEnd: checked })}
          />
          {isComplete && <p>{ruleSentence(condition, machinesOf(condition.machines))}</p>}
          <RulePreview
            condition={
              isComplete ? { ...condition, isOwn, ...(!isOfPortal && { organization: owner }) } : undefined
            }
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

const NO_OWNER = {
  name: 'organization',
  word: FIELD_TEXTS.organization,
  message: 'Kies van welke organisatie de regel is.',
};

type SettingInputProps = {
  readonly name: SettingName;
  readonly kind: AlertKind;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function SettingInput({ name, kind, value, onChange }: SettingInputProps): ReactNode {
  const field = kindDefinition(kind).settings[name];
  if (!field) return null;
  const { word, unit, least, most } = field;
  return (
    <NumberField
      label={word}
      name={name}
      unit={unit}
      description={`${formatExactNumber(least)} tot ${formatExactNumber(most)} ${unit}`}
      maxLength={10}
      value={value}
      onChange={onChange}
    />
  );
}

type MachineFieldsProps = {
  readonly machines: RuleFields['machines'];
  /** Functional name of the organization that owns the machines. */
  readonly owner: string;
  readonly onChange: (machines: RuleFields['machines']) => void;
};

/** Fields that choose the machines of the rule: all of them, or those picked from a list. */
function MachineFields({ machines, owner, onChange }: MachineFieldsProps): ReactNode {
  const { labels } = useLabels();
  const projects = useQuery(readQuery('GET /api/project/get'));
  const terreinen = useTerreinen();
  const fleet = useFleet();
  const isOf = (organization: string): boolean => organization === owner;
  const options: Readonly<Record<Exclude<MachineSelection, 'all'>, () => readonly PickOption[]>> = {
    labels: () =>
      labels.filter((label) => isOf(label.organization)).map((label) => pick(label._id, label.labelName)),
    projects: () =>
      (projects.data ?? [])
        .filter((project) => isOf(project.organization))
        .map((project) => pick(project._id, project.projectName)),
    terreinen: () =>
      (terreinen.data ?? [])
        .filter((terrein) => isOf(terrein.organization))
        .map((terrein) => pick(terrein._id, terrein.terreinName)),
    chosen: () =>
      fleet
        .filter(({ metadata }) => metadata.kind === 'machine' && isOf(metadata.organization))
        .map(({ metadata: { serialNumber, alias, brand, model } }) => ({
          value: serialNumber,
          label: `${alias} (#${serialNumber})`,
          words: [alias, brand, model, serialNumber].join(' '),
        })),
  };
  const none = (by: MachineSelection): RuleFields['machines'] =>
    by === 'all' ? { by } : by === 'chosen' ? { by, serials: [] } : { by, ids: [] };
  return (
    <>
      <FormSelect
        label="Machines"
        name="by"
        value={machines.by}
        onChange={({ currentTarget }) => onChange(none(currentTarget.value as MachineSelection))}
      >
        {MACHINE_SELECTIONS.map((by) => (
          <option key={by} value={by}>
            {MACHINE_SELECTION_TEXTS[by].label}
          </option>
        ))}
      </FormSelect>
      {machines.by !== 'all' && (
        <PickList
          key={machines.by}
          label={MACHINE_SELECTION_TEXTS[machines.by].list}
          name="machines"
          none={MACHINE_SELECTION_TEXTS[machines.by].none}
          options={options[machines.by]()}
          chosen={machines.by === 'chosen' ? machines.serials : machines.ids.map(String)}
          onChange={(chosen) =>
            onChange(
              machines.by === 'chosen'
                ? { by: machines.by, serials: [...chosen] }
                : { by: machines.by, ids: chosen.map(Number) },
            )
          }
        />
      )}
      {machines.by === 'projects' && (
        <RetryAlert query={projects} fallback="De projecten zijn niet geladen." />
      )}
      {machines.by === 'terreinen' && (
        <RetryAlert query={terreinen} fallback="De terreinen zijn niet geladen." />
      )}
    </>
  );
}

const pick = (id: number, name: string): PickOption => ({ value: String(id), label: name, words: name });

type RecipientFieldsProps = {
  readonly owner: string;
  readonly roles: RuleFields['roles'];
  readonly people: RuleFields['people'];
  readonly onChange: (recipients: Recipients) => void;
};
type Recipients = Partial<{ [Name in 'roles' | 'people']: RuleFields[Name] }>;

const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  administrator: 'Alle administrators',
  technicus: 'Alle technici',
  beheerder: 'Alle beheerders',
  gebruiker: 'Alle gebruikers',
  kijker: 'Alle kijkers',
};

/** Fields that choose whom the rule notifies: all users with a role, and single users. */
function RecipientFields({ owner, roles, people, onChange }: RecipientFieldsProps): ReactNode {
  const users = useQuery({
    ...readQuery('GET /api/user/get'),
    enabled: isActionAllowed(useUser(), 'see-users'),
  });
  const options = (users.data ?? [])
    .filter(({ organization }) => organization === owner)
    .map(({ email, name }) => ({
      value: email,
      label: name === null ? email : `${name} (${email})`,
      words: `${name ?? ''} ${email}`,
    }));
  return (
    <>
      <fieldset className="stack gap-1">
        <legend>Wie de meldingen krijgt</legend>
        {rolesIn(owner).map((role) => (
          <TickBox
            key={role}
            label={ROLE_TEXTS[role]}
            checked={roles.includes(role)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ roles: checked ? [...roles, role] : roles.filter((one) => one !== role) })
            }
          />
        ))}
      </fieldset>
      <PickList
        label="En deze mensen"
        name="people"
        none="Niemand apart"
        options={options}
        chosen={people}
        onChange={(chosen) => onChange({ people: [...chosen] })}
      />
      <RetryAlert query={users} fallback="De mensen zijn niet geladen." />
    </>
  );
}
