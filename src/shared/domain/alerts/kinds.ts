/** The kinds of alert that a rule can be made for (docs/alerts.md). Each is declared in a file of `kinds/`. */
import { arrivedAtPlaceKind } from './kinds/arrived.ts';
import { backupOldKind } from './kinds/backup-old.ts';
import { chargingKind } from './kinds/charging.ts';
import { configNotRunningKind } from './kinds/config-not-running.ts';
import { diskAlmostFullKind } from './kinds/disk.ts';
import { faultKind } from './kinds/fault.ts';
import {
  isBeyondLimit,
  type KindDeclaration,
  type RuleSettings,
  SETTING_NAMES,
  SEVERITY_TEXTS,
  type SettingName,
  type Severity,
} from './kinds/kind.ts';
import { leftPlaceKind } from './kinds/left.ts';
import { logsEmptyKind } from './kinds/logs-empty.ts';
import { lowBatteryKind } from './kinds/low.ts';
import { mailFailingKind } from './kinds/mail-failing.ts';
import { maintenanceKind } from './kinds/maintenance.ts';
import { movedOutsideHoursKind } from './kinds/moved.ts';
import { notChargingKind } from './kinds/not-charging.ts';
import { notFullKind } from './kinds/not-full.ts';
import { packSilentKind } from './kinds/pack-silent.ts';
import { packImbalanceKind } from './kinds/packs-apart.ts';
import { quarantineKind } from './kinds/quarantine.ts';
import { chargeTooLowForShiftKind } from './kinds/runs-short.ts';
import { silentKind } from './kinds/silent.ts';
import { speedingKind } from './kinds/speeding.ts';
import { unknownLoggerKind } from './kinds/unknown-logger.ts';
import { unseenSinceShiftStartKind } from './kinds/unseen.ts';

/** Days of history that a rule's preview evaluates. */
export const PREVIEW_DAYS = 30;

/** States of an alert. A condition that is still pending has no alert yet. */
export const ALERT_STATES = ['firing', 'resolved', 'withdrawn'] as const;

/** The kinds of alert by name, in the order of the rule's form. */
export const ALERT_KINDS = {
  low: lowBatteryKind,
  'not-charging': notChargingKind,
  silent: silentKind,
  unseen: unseenSinceShiftStartKind,
  'not-full': notFullKind,
  'runs-short': chargeTooLowForShiftKind,
  maintenance: maintenanceKind,
  fault: faultKind,
  moved: movedOutsideHoursKind,
  arrived: arrivedAtPlaceKind,
  left: leftPlaceKind,
  'packs-apart': packImbalanceKind,
  'pack-silent': packSilentKind,
  speeding: speedingKind,
  'unknown-logger': unknownLoggerKind,
  quarantine: quarantineKind,
  'config-not-running': configNotRunningKind,
  'logs-empty': logsEmptyKind,
  'mail-failing': mailFailingKind,
  'backup-old': backupOldKind,
  disk: diskAlmostFullKind,
  charging: chargingKind,
} as const satisfies Record<string, KindDeclaration>;

export type AlertKind = keyof typeof ALERT_KINDS;
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];

/** Returns the definition of a kind as a `KindDeclaration`, the type that the definitions of all kinds have in common. */
export const kindDefinition = (kind: AlertKind): KindDeclaration => ALERT_KINDS[kind];

type KindOf<Part> = {
  [Kind in AlertKind]: (typeof ALERT_KINDS)[Kind] extends Part ? Kind : never;
}[AlertKind];
export type ReadingAlertKind = KindOf<{ readonly source: 'readings' }>;
/** Kinds with a condition that holds or does not hold at a reading. */
export type ConditionAlertKind = Exclude<ReadingAlertKind, SubscriptionAlertKind>;
export type TimerAlertKind = KindOf<{ readonly source: 'clock' }>;
export type PresenceAlertKind = KindOf<{ readonly source: 'presences' }>;
export type OperatorAlertKind = KindOf<{ readonly source: 'portal' }>;
/** A kind that people switch on and off at a machine; the rule form does not offer it. */
export type SubscriptionAlertKind = KindOf<{ readonly isSubscription: true }>;
type OfferedKind = Exclude<AlertKind, SubscriptionAlertKind>;
/** Kinds about machines that the rule form offers. */
export type MachineAlertKind = Exclude<OfferedKind, OperatorAlertKind>;

export const isReadingKind = (kind: AlertKind): kind is ReadingAlertKind =>
  ALERT_KINDS[kind].source === 'readings';
export const isTimerAlertKind = (kind: AlertKind): kind is TimerAlertKind =>
  ALERT_KINDS[kind].source === 'clock';
/** Returns whether a kind is about the portal itself. Only the organization `admin` has rules of these kinds. */
export const isOperatorKind = (kind: AlertKind): kind is OperatorAlertKind =>
  ALERT_KINDS[kind].source === 'portal';
export const isPresenceKind = (kind: AlertKind): kind is PresenceAlertKind =>
  ALERT_KINDS[kind].source === 'presences';
export const isSubscriptionAlertKind = (kind: AlertKind): kind is SubscriptionAlertKind =>
  kindDefinition(kind).isSubscription === true;
export const isConditionKind = (kind: AlertKind): kind is ConditionAlertKind =>
  isReadingKind(kind) && !isSubscriptionAlertKind(kind);
/** Returns whether a kind is about a machine that sends nothing. */
export const isSilenceKind = (kind: AlertKind): boolean => factRequiredByKind(kind) === 'last-seen';
/** Returns the fact by which a kind is evaluated; undefined: the kind is evaluated by readings or presences. */
export function factRequiredByKind(kind: AlertKind) {
  const definition = kindDefinition(kind);
  return 'needs' in definition ? definition.needs : undefined;
}
/** Returns whether an open alert shows where the machine is now. */
export const showsPresentPosition = (kind: AlertKind | undefined): boolean =>
  kind !== undefined && kindDefinition(kind).isFollowed === true;

/** Returns the kinds whose definition satisfies a condition. */
export const alertKindsWith = (holds: (definition: KindDeclaration) => unknown): readonly AlertKind[] =>
  ALERT_KIND_NAMES.filter((kind) => holds(kindDefinition(kind)));

export const SUBSCRIPTION_ALERT_KINDS = ALERT_KIND_NAMES.filter(isSubscriptionAlertKind);
export const OFFERED_ALERT_KINDS = ALERT_KIND_NAMES.filter(
  (kind): kind is OfferedKind => !isSubscriptionAlertKind(kind),
);
export const MACHINE_ALERT_KINDS = OFFERED_ALERT_KINDS.filter(
  (kind): kind is MachineAlertKind => !isOperatorKind(kind),
);

export const isAlertKind = (text: string): text is AlertKind => Object.hasOwn(ALERT_KINDS, text);

/** Returns the unit of a kind's value and threshold; null: its rules have no threshold. */
export const thresholdUnitOf = (kind: AlertKind): string | null =>
  kindDefinition(kind).settings.threshold?.unit ?? null;

/** When a rule notifies. Only kinds of presences have 'outside': outside the working hours of the machine. */
export const RULE_HOURS_LABELS = {
  always: 'Altijd',
  work: 'Alleen in werktijd',
  outside: 'Alleen buiten werktijd',
} as const;
export type RuleHours = keyof typeof RULE_HOURS_LABELS;
export const RULE_HOURS_NAMES = Object.keys(RULE_HOURS_LABELS) as [RuleHours, ...RuleHours[]];

/** Returns the hours that a rule of this kind may have. */
export function ruleHoursOfKind(kind: AlertKind): readonly RuleHours[] {
  if (kindDefinition(kind).hasOwnHours) return ['always'];
  return isPresenceKind(kind) ? RULE_HOURS_NAMES : ['always', 'work'];
}

export const SEVERITIES = Object.keys(SEVERITY_TEXTS) as [Severity, ...Severity[]];

/** Returns the severity of a new rule of this kind. */
export const defaultSeverity = (kind: AlertKind): Severity => kindDefinition(kind).severity ?? 'notice';

/** Returns the default settings of a new rule of this kind. */
export const defaultSettings = (kind: AlertKind): RuleSettings =>
  Object.fromEntries(
    Object.entries(kindDefinition(kind).settings).map(([name, field]) => [name, field.usual]),
  );

export type SettingError = { readonly setting: SettingName; readonly message: string };

/**
 * Returns the errors in a rule's settings: a missing one, one that the kind does not have, one out of range, or two that contradict each
 * other.
 */
export function settingErrors(kind: AlertKind, settings: RuleSettings): SettingError[] {
  const { settings: fields, fires } = kindDefinition(kind);
  const errors: SettingError[] = [];
  for (const setting of SETTING_NAMES) {
    const field = fields[setting];
    const value = settings[setting];
    if (!field) {
      if (value !== undefined) errors.push({ setting, message: 'hoort niet bij deze soort' });
    } else if (value === undefined) errors.push({ setting, message: 'ontbreekt' });
    else if (value < field.least || value > field.most)
      errors.push({ setting, message: `moet tussen ${field.least} en ${field.most} ${field.unit} liggen` });
  }
  if (errors.length > 0) return errors;
  const { threshold, clear } = settings;
  if (fires && clear !== undefined && isBeyondLimit(fires, clear, threshold))
    errors.push({
      setting: 'clear',
      message: `mag niet ${fires === 'below' ? 'onder' : 'boven'} de grens liggen`,
    });
  return errors;
}
