import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { SEVERITY_TEXTS } from '#shared/domain/alerts/kinds/kind.ts';
import { kindDefinition } from '#shared/domain/alerts/kinds.ts';
import { ruleSentence } from '#shared/domain/alerts/rule-sentence.ts';
import { CardActions, CardList } from '#web/ui/card-list.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { useMachinesText } from './machines-text.ts';

type RuleCardsProps = {
  readonly label: string;
  readonly rules: readonly AlertRule[];
  /** Whether the list has rules of several organizations; each card then names the rule's organization. */
  readonly seesAll: boolean;
  readonly isBusy: boolean;
  readonly onSwitch: (rule: AlertRule, isOn: boolean) => void;
  readonly onChange: (rule: AlertRule) => void;
  readonly onDelete: (rule: AlertRule) => void;
};

/** Cards of existing rules, with their condition, machines and recipients. */
export function RuleCards({
  label,
  rules,
  seesAll,
  isBusy,
  onSwitch,
  onChange,
  onDelete,
}: RuleCardsProps): ReactNode {
  const machinesOf = useMachinesText();
  return (
    <CardList label={label} items={rules} keyOf={({ _id }) => _id}>
      {(rule) => (
        <>
          <div className="row between">
            <h3 className="shrink">{rule.ruleName}</h3>
            <SwitchButton
              label={`${rule.ruleName}${seesAll ? ` van ${rule.cleanorg}` : ''} aan`}
              isOn={rule.isOn}
              texts={['Aan', 'Uit']}
              isBusy={isBusy}
              isCalm
              onSwitch={(isOn) => onSwitch(rule, isOn)}
            />
          </div>
          {seesAll && <p>{rule.cleanorg}</p>}
          {kindDefinition(rule.kind).word !== rule.ruleName && <p>{kindDefinition(rule.kind).word}</p>}
          <p>{ruleSentence(rule, machinesOf(rule.machines))}</p>
          <p>
            {SEVERITY_TEXTS[rule.severity]} voor {recipientsText(rule)}
            {rule.tellsEnd && ', ook als het voorbij is'}
          </p>
          {rule.open > 0 && <p>Nu open: {rule.open}</p>}
          <CardActions>
            <Button
              variant="default"
              size="md"
              aria-label={`Wijzig ${rule.ruleName}`}
              onClick={() => onChange(rule)}
            >
              Wijzig
            </Button>
            <DeleteButton of={rule.ruleName} onClick={() => onDelete(rule)} />
          </CardActions>
        </>
      )}
    </CardList>
  );
}

/** Cards of charging subscriptions, one per machine. */
export function SubscriptionCards({
  rules,
  onDelete,
}: Pick<RuleCardsProps, 'rules' | 'onDelete'>): ReactNode {
  const machinesOf = useMachinesText();
  return (
    <CardList label="Laadupdates" items={rules} keyOf={({ _id }) => _id}>
      {(rule) => (
        <>
          <h3>{machinesOf(rule.machines)}</h3>
          <CardActions>
            <DeleteButton of={`laadupdate van ${machinesOf(rule.machines)}`} onClick={() => onDelete(rule)} />
          </CardActions>
        </>
      )}
    </CardList>
  );
}

const ROLE_TEXTS: Readonly<Record<AlertRule['roles'][number], string>> = {
  administrator: 'alle administrators',
  technicus: 'alle technici',
  beheerder: 'alle beheerders',
  gebruiker: 'alle gebruikers',
  kijker: 'alle kijkers',
};

function recipientsText({ isOwn, roles, people }: AlertRule): string {
  if (isOwn) return 'jou';
  const recipients = [...roles.map((role) => ROLE_TEXTS[role]), ...people];
  return recipients.length === 0 ? 'niemand (meer)' : recipients.join(', ');
}
