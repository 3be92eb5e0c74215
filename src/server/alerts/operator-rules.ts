import { audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';
import {
  type AlertKind,
  alertKindsWith,
  defaultSettings,
  defaultSeverity,
  kindDefinition,
} from '#shared/domain/alerts/kinds.ts';
import { ruleLogFields } from './rule-changes.ts';
import { addRule, type RuleFields } from './rules.store.ts';

const firstRule = (kind: AlertKind): RuleFields => ({
  ruleName: kindDefinition(kind).word,
  kind,
  settings: defaultSettings(kind),
  hours: 'always',
  machines: 'all',
  ids: [],
  severity: defaultSeverity(kind),
  accounts: [],
  roles: ['administrator'],
  tellsEnd: false,
  isOn: true,
});

/**
 * Adds the rules about the portal itself that alert the administrators of a new portal.
 * @param organizationId the id of the organization `admin`
 */
export async function addFirstOperatorRules(client: Transaction, organizationId: number): Promise<void> {
  for (const kind of alertKindsWith((definition) => 'isFirst' in definition)) {
    const rule = firstRule(kind);
    await addRule(client, organizationId, null, rule, new Date());
    await audit(client, {
      actor: 'first start',
      action: 'alert-rule.create',
      subject: rule.ruleName,
      organizationId,
      data: {},
      after: ruleLogFields(rule),
    });
  }
}
