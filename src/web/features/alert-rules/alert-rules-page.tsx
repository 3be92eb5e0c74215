import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { ADMIN_ORGANIZATION, may } from '#shared/domain/access.ts';
import { type AlertKind, isOperatorKind, kindDefinition } from '#shared/domain/alerts/kinds.ts';
import { ruleSentence } from '#shared/domain/alerts/rule-sentence.ts';
import { failureText } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Outcome, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import styles from './alert-rules-page.module.css';
import { useMachineWords } from './machine-words.ts';
import { type SavedRule, useDeleteRule, useRules, useSaveRule } from './rule-calls.ts';
import { RuleCards, SubscriptionCards } from './rule-cards.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { kindsFor, kindsWithout, type RuleFields, usualRule } from './rule-fields.ts';
import { ReadyPreview } from './rule-preview.tsx';

type Asked =
  | {
      readonly what: 'make';
      readonly isOwn: boolean;
      readonly kind?: AlertKind;
      readonly start?: Partial<RuleFields>;
      readonly organization?: string;
    }
  | { readonly what: 'change'; readonly rule: AlertRule }
  | { readonly what: 'delete'; readonly rule: AlertRule };

/** /meldingen/regels: what is told to whom. A beheerder has the organization's, everybody their own. */
export function AlertRulesPage(): ReactNode {
  const user = useUser();
  const rules = useRules();
  const saving = useSaveRule();
  const removal = useDeleteRule();
  const [note, setNote] = useNote();
  const machinesOf = useMachineWords();
  const isManager = may(user, 'manage-alerts');
  const [search] = useSearchParams();
  const [asked, setAsked] = useState<Asked | undefined>(() => departureFrom(search, !isManager));
  const seesAll = user.organization === ADMIN_ORGANIZATION;
  const save = (rule: SavedRule): void => {
    if (saving.isPending) return;
    setNote(undefined);
    saving.mutate(rule, { onSuccess: ({ message }) => setNote(message) });
  };
  const section = (whose: Whose, title: string): ReactNode => (
    <Section
      {...{ whose, title }}
      seesAll={seesAll && whose === 'organization'}
      rules={rules.data?.filter((rule) => whoseOf(rule) === whose && rule.kind !== 'charging')}
      // Whose it would be is not known of an administrator; who has rules for others sees to those first.
      isReady={whose === 'portal' || (whose === 'own' ? !isManager : !seesAll)}
      isBusy={saving.isPending}
      onSave={save}
      onAsk={setAsked}
    />
  );
  return (
    <Page title="Regels" back="/meldingen">
      <Outcome
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
          {may(user, 'operate') && section('portal', 'Van het portaal zelf')}
          {/* Who sees to all organizations has no rules of their own. */}
          {!seesAll && section('own', 'Alleen voor jou')}
          <Subscriptions
            rules={rules.data.filter(({ kind }) => kind === 'charging')}
            onDelete={(rule) => setAsked({ what: 'delete', rule })}
          />
          {seesAll && !isManager && (
            <EmptyState title="Regels zijn van organisaties">
              <p>Een administrator of een beheerder stelt ze in.</p>
            </EmptyState>
          )}
        </>
      )}
      {(asked?.what === 'make' || asked?.what === 'change') && (
        <RuleDialog
          rule={asked.what === 'change' ? asked.rule : undefined}
          kind={asked.what === 'make' ? asked.kind : asked.rule.kind}
          start={asked.what === 'make' ? asked.start : undefined}
          organization={asked.what === 'make' ? asked.organization : undefined}
          isOwn={asked.what === 'change' ? asked.rule.isOwn : asked.isOwn}
          onSaved={setNote}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je deze regel wilt verwijderen"
          onYes={async () => setNote((await removal.mutateAsync(asked.rule._id)).message)}
          onClose={() => setAsked(undefined)}
          fallback="De regel is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.rule.ruleName}</strong>
          </p>
          <p>{ruleSentence(asked.rule, machinesOf(asked.rule.machines))}</p>
          {asked.rule.kind === 'charging' ? (
            <p>Je krijgt dan geen mail meer over het laden van deze machine.</p>
          ) : (
            <p>Haar meldingen verdwijnen mee. Wil je haar alleen even niet, zet haar dan uit.</p>
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}

/** Reads the link of a terrein (departureRulePath): a new rule for machines that leave it outside working hours. */
function departureFrom(search: URLSearchParams, isOwn: boolean): Asked | undefined {
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

/** Returns what a rule for machines that leave terreinen outside working hours has instead of usual values. */
const departureRule = (ids: readonly number[]) =>
  ({
    ruleName: 'Vertrokken buiten werktijd',
    hours: 'outside',
    severity: 'urgent',
    machines: { by: 'terreinen', ids: [...ids] },
  }) satisfies Partial<RuleFields>;

const isDeparture = ({ kind, hours, machines }: AlertRule): boolean =>
  kind === 'left' && hours === 'outside' && machines.by === 'terreinen';

type Whose = 'organization' | 'portal' | 'own';

const whoseOf = ({ isOwn, kind }: AlertRule): Whose =>
  isOwn ? 'own' : isOperatorKind(kind) ? 'portal' : 'organization';

/** What its rules are, what a new one is called, and to whom the ready ones tell it. */
const WHOSE_WORDS: Readonly<Record<Whose, { about: string; make: string; told: string }>> = {
  organization: {
    about: 'Wie het hoort staat bij elke regel. Jij stelt ze in voor iedereen.',
    make: 'Nieuwe regel',
    told: ', van alle machines, verteld aan beheerders',
  },
  portal: {
    about: 'Of het portaal zelf goed loopt. Alleen wie het beheert hoort dit.',
    make: 'Nieuwe regel voor het portaal',
    told: ', verteld aan administrators',
  },
  own: {
    about: 'Wat deze regels zien hoor jij, en niemand anders.',
    make: 'Nieuwe regel voor mij',
    told: ', van alle machines',
  },
};

type SectionProps = {
  readonly title: string;
  readonly whose: Whose;
  readonly seesAll: boolean;
  readonly rules: readonly AlertRule[] | undefined;
  /** Whether the kinds without a rule stand ready to be switched on. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSave: (rule: SavedRule) => void;
  readonly onAsk: (asked: Asked) => void;
};

function Section({ title, whose, seesAll, rules = [], isReady, isBusy, onSave, onAsk }: SectionProps) {
  const id = `rules-${whose}`;
  const isOwn = whose === 'own';
  const { about, make, told } = WHOSE_WORDS[whose];
  const { seesRoutes } = useUser();
  const { data: terreinen = [] } = useTerreinen();
  const kinds = isReady ? kindsWithout(rules, whose === 'portal', seesRoutes) : [];
  const offersDeparture =
    isReady && whose !== 'portal' && seesRoutes && terreinen.length > 0 && !rules.some(isDeparture);
  const departure = departureRule(terreinen.map(({ _id }) => _id));
  const [first] = kindsFor(whose === 'portal', seesRoutes);
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.title}>
        <h2 id={id}>{title}</h2>
        <Button
          size="md"
          variant="default"
          onClick={() => onAsk({ what: 'make', isOwn, ...(first && { kind: first }) })}
        >
          {make}
        </Button>
      </div>
      <p className={styles.about}>{about}</p>
      {rules.length > 0 && (
        <RuleCards
          label={title}
          rules={rules}
          seesAll={seesAll}
          isBusy={isBusy}
          onSwitch={(rule, isOn) => onSave({ ...fieldsOf(rule), isOn })}
          onChange={(rule) => onAsk({ what: 'change', rule })}
          onDelete={(rule) => onAsk({ what: 'delete', rule })}
        />
      )}
      {rules.length === 0 && !isReady && (
        <EmptyState title="Nog geen regels">
          <p>Zonder regel vertelt het portaal hier niets.</p>
        </EmptyState>
      )}
      {(kinds.length > 0 || offersDeparture) && (
        <>
          <h3>Klaar om aan te zetten</h3>
          <p className={styles.about}>Met gewone grenzen{told}. Aanpassen kan altijd.</p>
          <ul className={styles.ready} aria-label={`Klaar om aan te zetten: ${title}`}>
            {offersDeparture && (
              <li>
                <Ready
                  rule={{ ...usualRule('left', isOwn), ...departure, isOwn }}
                  isBusy={isBusy}
                  onSwitch={onSave}
                  onChange={() => onAsk({ what: 'make', isOwn, kind: 'left', start: departure })}
                />
              </li>
            )}
            {kinds.map((kind) => (
              <li key={kind}>
                <Ready
                  rule={{ ...usualRule(kind, isOwn), isOwn }}
                  isBusy={isBusy}
                  onSwitch={onSave}
                  onChange={() => onAsk({ what: 'make', isOwn, kind })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

type SubscriptionsProps = {
  readonly rules: readonly AlertRule[];
  readonly onDelete: (rule: AlertRule) => void;
};

/** Of which machines one is told that they charge: switched on at the machine. */
function Subscriptions({ rules, onDelete }: SubscriptionsProps) {
  if (rules.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="subscriptions">
      <h2 id="subscriptions">Laadupdates</h2>
      <p className={styles.about}>
        {kindDefinition('charging').explanation} Alleen voor jou, per mail; op de pagina van een machine zet
        je ze aan met ‘Voor laadupdate’.
      </p>
      <SubscriptionCards rules={rules} onDelete={onDelete} />
    </section>
  );
}

/** As it is saved again. */
function fieldsOf({ organization: _, cleanorg: __, open: ___, ...fields }: AlertRule): SavedRule {
  return fields;
}

type ReadyProps = {
  readonly rule: SavedRule;
  readonly isBusy: boolean;
  readonly onSwitch: (rule: SavedRule) => void;
  readonly onChange: () => void;
};

/** A rule that is not there yet: one press makes it. */
function Ready({ rule, isBusy, onSwitch, onChange }: ReadyProps) {
  const { kind, settings, hours, machines, isOwn, ruleName } = rule;
  const machinesOf = useMachineWords();
  return (
    <>
      <div>
        <h4>{ruleName}</h4>
        <p>{ruleSentence({ kind, settings, hours, machines }, machinesOf(machines))}</p>
        <p className={styles.quiet}>
          <ReadyPreview question={{ kind, settings, hours, machines, isOwn }} />
        </p>
      </div>
      <div className={styles.buttons}>
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
