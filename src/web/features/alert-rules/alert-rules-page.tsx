import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import {
  type AlertKind,
  isOperatorKind,
  isSubscriptionAlertKind,
  kindDefinition,
} from '#shared/domain/alerts/kinds.ts';
import { ruleSentence } from '#shared/domain/alerts/rule-sentence.ts';
import { failureText } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { useMachinesText } from './machines-text.ts';
import { RuleCards, SubscriptionCards } from './rule-cards.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import type { SavedRule } from './rule-fields.ts';
import { defaultRule, kindsWithoutRule, offeredKinds, type RuleFields } from './rule-fields.ts';
import { PresetPreview } from './rule-preview.tsx';

type OpenDialog =
  | {
      readonly what: 'make';
      readonly isOwn: boolean;
      readonly kind?: AlertKind;
      readonly start?: Partial<RuleFields>;
      readonly organization?: string;
    }
  | { readonly what: 'change'; readonly rule: AlertRule }
  | { readonly what: 'delete'; readonly rule: AlertRule };

/** Page '/meldingen/regels': alert rules. Users with role beheerder manage the rules of the organization; all users manage their own. */
export function AlertRulesPage(): ReactNode {
  const user = useUser();
  const rules = useQuery(readQuery('GET /api/alert-rule/get'));
  const saving = useChange('POST /api/alert-rule/save');
  const removal = useChange('POST /api/alert-rule/delete');
  const [note, setNote] = useNote();
  const machinesOf = useMachinesText();
  const isManager = isActionAllowed(user, 'manage-alerts');
  const [search] = useSearchParams();
  const [dialog, setDialog] = useState<OpenDialog | undefined>(() => departureDialog(search, !isManager));
  const seesAll = user.organization === ADMIN_ORGANIZATION;
  const save = (rule: SavedRule): void => {
    if (saving.isPending) return;
    setNote(undefined);
    saving.mutate({ body: rule }, { onSuccess: ({ message }) => setNote(message) });
  };
  const section = (group: RuleGroup, title: string): ReactNode => (
    <Section
      {...{ group, title }}
      seesAll={seesAll && group === 'organization'}
      rules={rules.data?.filter((rule) => groupOf(rule) === group && !isSubscriptionAlertKind(rule.kind))}
      // No presets for administrators in the section of organizations, because a preset is for one organization. Managers
      // get presets for the rules of their organization, not for their own rules.
      offersPresets={group === 'portal' || (group === 'own' ? !isManager : !seesAll)}
      isBusy={saving.isPending}
      onSave={save}
      onOpenDialog={setDialog}
    />
  );
  return (
    <Page title="Regels" back="/meldingen">
      <OutcomeNotice
        note={note}
        failure={
          saving.error
            ? failureText(saving.error, 'De regel is niet gewijzigd. Probeer het opnieuw.')
            : undefined
        }
      />
      <RetryAlert
        query={rules}
        fallback={rules.data ? 'De regels zijn niet vernieuwd.' : 'De regels zijn niet geladen.'}
      />
      {!rules.data && !rules.error && <CardSkeletons />}
      {rules.data && (
        <>
          {isManager &&
            section('organization', seesAll ? 'Van organisaties' : `Van ${user.organizationName}`)}
          {isActionAllowed(user, 'operate') && section('portal', 'Van het portaal zelf')}
          {/* Users who see all organizations have no rules of their own. */}
          {!seesAll && section('own', 'Alleen voor jou')}
          <Subscriptions
            rules={rules.data.filter(({ kind }) => isSubscriptionAlertKind(kind))}
            onDelete={(rule) => setDialog({ what: 'delete', rule })}
          />
          {seesAll && !isManager && (
            <EmptyState title="Regels zijn van organisaties">
              <p>Een administrator of een beheerder stelt ze in.</p>
            </EmptyState>
          )}
        </>
      )}
      {(dialog?.what === 'make' || dialog?.what === 'change') && (
        <RuleDialog
          rule={dialog.what === 'change' ? dialog.rule : undefined}
          kind={dialog.what === 'make' ? dialog.kind : dialog.rule.kind}
          start={dialog.what === 'make' ? dialog.start : undefined}
          organization={dialog.what === 'make' ? dialog.organization : undefined}
          isOwn={dialog.what === 'change' ? dialog.rule.isOwn : dialog.isOwn}
          onSaved={setNote}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je deze regel wilt verwijderen"
          onYes={async () => setNote((await removal.mutateAsync({ body: { _id: dialog.rule._id } })).message)}
          onClose={() => setDialog(undefined)}
          fallback="De regel is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{dialog.rule.ruleName}</strong>
          </p>
          <p>{ruleSentence(dialog.rule, machinesOf(dialog.rule.machines))}</p>
          {isSubscriptionAlertKind(dialog.rule.kind) ? (
            <p>Je krijgt dan geen mail meer over het laden van deze machine.</p>
          ) : (
            <p>Haar meldingen verdwijnen mee. Wil je haar alleen even niet, zet haar dan uit.</p>
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}

/**
 * Returns the dialog that a link on the page of a terrein opens (departureRulePath): a new rule for machines that
 * leave this terrein outside working hours.
 */
function departureDialog(search: URLSearchParams, isOwn: boolean): OpenDialog | undefined {
  const terrein = Number(search.get('terrein'));
  const organization = search.get('organisatie');
  if (!Number.isInteger(terrein) || terrein <= 0) return undefined;
  return {
    what: 'make',
    isOwn,
    kind: 'left',
    start: departureRule([terrein]),
    ...(organization !== null && { organization }),
  };
}

/** Returns the values of a rule for machines that leave terreinen outside working hours, where they differ from the default. */
const departureRule = (ids: readonly number[]) =>
  ({
    ruleName: 'Vertrokken buiten werktijd',
    hours: 'outside',
    severity: 'urgent',
    machines: { by: 'terreinen', ids: [...ids] },
  }) satisfies Partial<RuleFields>;

const isDeparture = ({ kind, hours, machines }: AlertRule): boolean =>
  kind === 'left' && hours === 'outside' && machines.by === 'terreinen';

type RuleGroup = 'organization' | 'portal' | 'own';

const groupOf = ({ isOwn, kind }: AlertRule): RuleGroup =>
  isOwn ? 'own' : isOperatorKind(kind) ? 'portal' : 'organization';

/** Texts of a section: its explanation, the label of the button that makes a rule, and whom the section's presets notify. */
const GROUP_TEXTS: Readonly<Record<RuleGroup, { about: string; make: string; recipients: string }>> = {
  organization: {
    about: 'Bij elke regel staat wie haar meldingen krijgt. Jij stelt ze in voor iedereen.',
    make: 'Nieuwe regel',
    recipients: ', voor alle machines; beheerders krijgen de meldingen',
  },
  portal: {
    about: 'Of het portaal zelf goed loopt. Alleen wie het portaal beheert krijgt deze meldingen.',
    make: 'Nieuwe regel voor het portaal',
    recipients: '; administrators krijgen de meldingen',
  },
  own: {
    about: 'Alleen jij krijgt de meldingen van deze regels.',
    make: 'Nieuwe regel voor mij',
    recipients: ', voor alle machines',
  },
};

type SectionProps = {
  readonly title: string;
  readonly group: RuleGroup;
  readonly seesAll: boolean;
  readonly rules: readonly AlertRule[] | undefined;
  /** Whether the section offers a preset (a default rule to switch on) for each kind of alert that has no rule. */
  readonly offersPresets: boolean;
  readonly isBusy: boolean;
  readonly onSave: (rule: SavedRule) => void;
  readonly onOpenDialog: (dialog: OpenDialog) => void;
};

/** Maximum number of presets in a list above the rules; a longer list of presets is below the rules. */
const MAX_PRESETS_ABOVE = 2;

function Section({
  title,
  group,
  seesAll,
  rules = [],
  offersPresets,
  isBusy,
  onSave,
  onOpenDialog,
}: SectionProps) {
  const id = `rules-${group}`;
  const isOwn = group === 'own';
  const { about, make, recipients } = GROUP_TEXTS[group];
  const { seesRoutes } = useUser();
  const { data: terreinen = [] } = useTerreinen();
  const kinds = offersPresets ? kindsWithoutRule(rules, group === 'portal', seesRoutes) : [];
  const offersDeparture =
    offersPresets && group !== 'portal' && seesRoutes && terreinen.length > 0 && !rules.some(isDeparture);
  const departure = departureRule(terreinen.map(({ _id }) => _id));
  const [first] = offeredKinds(group === 'portal', seesRoutes);
  const count = kinds.length + Number(offersDeparture);
  const isShort = count <= MAX_PRESETS_ABOVE;
  const presets = count > 0 && (
    <>
      <h3>Klaar om aan te zetten</h3>
      <p className="quiet">Met gewone grenzen{recipients}. Je kunt ze altijd aanpassen.</p>
      <ul className="rows surface px-4" aria-label={`Klaar om aan te zetten: ${title}`}>
        {offersDeparture && (
          <li>
            <PresetRule
              rule={{ ...defaultRule('left', isOwn), ...departure, isOwn }}
              isBusy={isBusy}
              onSwitch={onSave}
              onChange={() => onOpenDialog({ what: 'make', isOwn, kind: 'left', start: departure })}
            />
          </li>
        )}
        {kinds.map((kind) => (
          <li key={kind}>
            <PresetRule
              rule={{ ...defaultRule(kind, isOwn), isOwn }}
              isBusy={isBusy}
              onSwitch={onSave}
              onChange={() => onOpenDialog({ what: 'make', isOwn, kind })}
            />
          </li>
        ))}
      </ul>
    </>
  );
  return (
    <section className="stack mb-8" aria-labelledby={id}>
      <div className="split">
        <h2 id={id}>{title}</h2>
        <Button
          size="md"
          variant="default"
          onClick={() => onOpenDialog({ what: 'make', isOwn, ...(first && { kind: first }) })}
        >
          {make}
        </Button>
      </div>
      <p className="quiet">{about}</p>
      {isShort && presets}
      {rules.length > 0 && (
        <RuleCards
          label={title}
          rules={rules}
          seesAll={seesAll}
          isBusy={isBusy}
          onSwitch={(rule, isOn) => onSave({ ...savedFields(rule), isOn })}
          onChange={(rule) => onOpenDialog({ what: 'change', rule })}
          onDelete={(rule) => onOpenDialog({ what: 'delete', rule })}
        />
      )}
      {rules.length === 0 && !offersPresets && (
        <EmptyState title="Nog geen regels">
          <p>Zonder regel komen er geen meldingen.</p>
        </EmptyState>
      )}
      {!isShort && presets}
    </section>
  );
}

type SubscriptionsProps = {
  readonly rules: readonly AlertRule[];
  readonly onDelete: (rule: AlertRule) => void;
};

/** The user's subscriptions to charging events. A user subscribes on the page of a machine. */
function Subscriptions({ rules, onDelete }: SubscriptionsProps) {
  if (rules.length === 0) return null;
  return (
    <section className="stack mb-8" aria-labelledby="subscriptions">
      <h2 id="subscriptions">Laadupdates</h2>
      <p className="quiet">
        {kindDefinition('charging').explanation} Alleen voor jou, per mail; op de pagina van een machine zet
        je ze aan met ‘Voor laadupdate’.
      </p>
      <SubscriptionCards rules={rules} onDelete={onDelete} />
    </section>
  );
}

/** Returns a rule without the fields that the server adds, as the call that saves it requires. */
function savedFields({ organization: _, cleanorg: __, open: ___, ...fields }: AlertRule): SavedRule {
  return fields;
}

type PresetRuleProps = {
  readonly rule: SavedRule;
  readonly isBusy: boolean;
  readonly onSwitch: (rule: SavedRule) => void;
  readonly onChange: () => void;
};

/** Shows a preset: a rule that does not exist yet and is created when the user switches it on. */
function PresetRule({ rule, isBusy, onSwitch, onChange }: PresetRuleProps) {
  const { kind, settings, hours, machines, isOwn, ruleName } = rule;
  const machinesOf = useMachinesText();
  return (
    <>
      <div>
        <h4>{ruleName}</h4>
        <p>{ruleSentence({ kind, settings, hours, machines }, machinesOf(machines))}</p>
        <p className="quiet">
          <PresetPreview condition={{ kind, settings, hours, machines, isOwn }} />
        </p>
      </div>
      <div className="row">
        <SwitchButton
          label={`${ruleName} aanzetten`}
          isOn={false}
          texts={['Aan', 'Uit']}
          isBusy={isBusy}
          isCalm
          onSwitch={() => onSwitch(rule)}
        />
        <Button variant="subtle" size="md" aria-label={`Aanpassen: ${ruleName}`} onClick={onChange}>
          Aanpassen
        </Button>
      </div>
    </>
  );
}
