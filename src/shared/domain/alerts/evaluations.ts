/** The evaluations and texts of the alerts of each kind, for the server: a page needs none of them. */
import { arrivedAtPlaceEvaluation } from './kinds/arrived.ts';
import { backupOldEvaluation } from './kinds/backup-old.ts';
import { chargingEvaluation } from './kinds/charging.ts';
import { configNotRunningEvaluation } from './kinds/config-not-running.ts';
import { diskAlmostFullEvaluation } from './kinds/disk.ts';
import { faultEvaluation } from './kinds/fault.ts';
import type {
  AlertFigures,
  AlertFinding,
  ConditionEvaluation,
  PortalEvaluation,
  PresenceEvaluation,
  RuleSettings,
  SubscriptionEvaluation,
  TimerEvaluation,
} from './kinds/kind.ts';
import { leftPlaceEvaluation } from './kinds/left.ts';
import { logsEmptyEvaluation } from './kinds/logs-empty.ts';
import { lowBatteryEvaluation } from './kinds/low.ts';
import { mailFailingEvaluation } from './kinds/mail-failing.ts';
import { maintenanceEvaluation } from './kinds/maintenance.ts';
import { movedOutsideHoursEvaluation } from './kinds/moved.ts';
import { notChargingEvaluation } from './kinds/not-charging.ts';
import { notFullEvaluation } from './kinds/not-full.ts';
import { packSilentEvaluation } from './kinds/pack-silent.ts';
import { packImbalanceEvaluation } from './kinds/packs-apart.ts';
import { quarantineEvaluation } from './kinds/quarantine.ts';
import { chargeTooLowForShiftEvaluation } from './kinds/runs-short.ts';
import { silentEvaluation } from './kinds/silent.ts';
import { speedingEvaluation } from './kinds/speeding.ts';
import { unknownLoggerEvaluation } from './kinds/unknown-logger.ts';
import { unseenSinceShiftStartEvaluation } from './kinds/unseen.ts';
import type {
  AlertKind,
  ConditionAlertKind,
  OperatorAlertKind,
  PresenceAlertKind,
  SubscriptionAlertKind,
  TimerAlertKind,
} from './kinds.ts';
import type { MachineState } from './machine-state.ts';

type Evaluations = Readonly<
  Record<ConditionAlertKind, ConditionEvaluation<AlertFigures>> &
    Record<SubscriptionAlertKind, SubscriptionEvaluation<AlertFigures>> &
    Record<TimerAlertKind, TimerEvaluation<AlertFigures>> &
    Record<PresenceAlertKind, PresenceEvaluation<AlertFigures>> &
    Record<OperatorAlertKind, PortalEvaluation<AlertFigures>>
>;

export const EVALUATIONS: Evaluations = {
  low: lowBatteryEvaluation,
  'not-charging': notChargingEvaluation,
  silent: silentEvaluation,
  unseen: unseenSinceShiftStartEvaluation,
  'not-full': notFullEvaluation,
  'runs-short': chargeTooLowForShiftEvaluation,
  maintenance: maintenanceEvaluation,
  fault: faultEvaluation,
  moved: movedOutsideHoursEvaluation,
  arrived: arrivedAtPlaceEvaluation,
  left: leftPlaceEvaluation,
  'packs-apart': packImbalanceEvaluation,
  'pack-silent': packSilentEvaluation,
  speeding: speedingEvaluation,
  'unknown-logger': unknownLoggerEvaluation,
  quarantine: quarantineEvaluation,
  'config-not-running': configNotRunningEvaluation,
  'logs-empty': logsEmptyEvaluation,
  'mail-failing': mailFailingEvaluation,
  'backup-old': backupOldEvaluation,
  disk: diskAlmostFullEvaluation,
  charging: chargingEvaluation,
};

/** Returns the text of an alert. An alert from before migration 0002 has this text as its only figure. */
export const alertText = (kind: AlertKind, figures: AlertFigures): string =>
  typeof figures.text === 'string' ? figures.text : EVALUATIONS[kind].text(figures);

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Returns the conditions of a rule that hold for a machine now.
 * @param openAt when the open alert of the same rule began, in ms
 * @param open subjects of the open alerts of the same rule
 */
export const evaluateTimerRule = (
  kind: TimerAlertKind,
  machine: MachineState,
  settings: RuleSettings,
  now: number,
  openAt?: number,
  open = NOTHING,
): readonly AlertFinding[] => EVALUATIONS[kind].evaluate(machine, settings, now, openAt, open);
