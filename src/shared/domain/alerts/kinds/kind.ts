/** The declaration of a kind of alert, one file of this folder each (docs/alerts.md). */
import type { BatteryState } from '#shared/domain/battery.ts';
import type { Position } from '#shared/domain/position.ts';
import type { Signals } from '#shared/domain/signal.ts';
import type { MachineState } from '../machine-state.ts';
import type { PortalState } from '../portal-state.ts';
import type { WorkWeek } from '../work-week.ts';

/** A numeric setting of a rule, as the rule's form shows it. */
export type SettingField = {
  readonly word: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
};

/**
 * `threshold`: the value from which the condition holds. `clear`: the value from which the condition no longer
 * holds. `hold` and `clearHold`: the pending periods before an alert fires and resolves, in minutes. `ahead`: from
 * this number of minutes before the start of a shift, the condition is evaluated.
 */
export const SETTING_NAMES = ['threshold', 'clear', 'hold', 'clearHold', 'ahead'] as const;
export type SettingName = (typeof SETTING_NAMES)[number];
export type RuleSettings = { readonly [Name in SettingName]?: number | undefined };

/** Severities with the texts of the rule's form. */
export const SEVERITY_TEXTS = {
  notice: 'Melding',
  urgent: 'Dringend',
  daily: 'In de dagelijkse mail',
} as const;
export type Severity = keyof typeof SEVERITY_TEXTS;

/** The settings of a rule as texts, for the sentence that describes the rule; '…': the setting is missing. */
export type SettingTexts = {
  /** '20', or a time with its unit: '24 uur'. */
  readonly threshold: string;
  readonly clear: string;
  readonly ahead: string;
  /** ' 10 minuten achter elkaar'; empty without a pending period. */
  readonly hold: string;
  /** ' 2 minuten'; empty without a pending period. */
  readonly clearHold: string;
  /** Whether the rule is limited to projects or terreinen, so that it reports only arrivals and departures there. */
  readonly isOfPlaces: boolean;
};

/** The figures from which an alert's text is made. Stored as JSON. */
export type AlertFigures = Readonly<Record<string, unknown>>;

/** The part of a kind that pages and calls need: its texts, and the settings that a rule of the kind may have. */
export type KindDeclaration = {
  readonly word: string;
  readonly explanation: string;
  readonly whatToDo: string;
  /**
   * About ten letters for the marker on the map; absent: the map does not show alerts of this kind as a reason
   * for attention.
   */
  readonly short?: string;
  readonly settings: { readonly [Name in SettingName]?: SettingField };
  /**
   * Whether the condition holds below or above the threshold; only for kinds whose value is compared with the
   * threshold.
   */
  readonly fires?: ThresholdSide;
  /**
   * Severity of a new rule; absent: notice. Urgent alerts are sent during quiet hours too; daily alerts are
   * collected in one mail a day.
   */
  readonly severity?: Severity;
  /** An event-like kind: people are notified even if the alert has already resolved. */
  readonly isEvent?: true;
  /** The kind decides when its condition is evaluated: the form offers no hours. */
  readonly hasOwnHours?: true;
  /** A movement: an alert of this kind reveals when the machine travelled. */
  readonly isMovement?: true;
  /** An open alert shows where the machine is now, and people are notified again when it is further away. */
  readonly isFollowed?: true;
  /** The text names a project or contains all running hours: not shown to people with an access restriction. */
  readonly isNotForLimited?: true;
  /** People switch the kind on and off at a machine; the engine finds its events in the readings. */
  readonly isSubscription?: true;
  /** A new portal has a rule of this kind. */
  readonly isFirst?: true;
  /**
   * Returns Dutch texts: `when` is the condition that follows 'Meld het als', `ends` is the condition that ends the alert.
   * @param of the machines of the rule, such as 'een machine met label Nachtploeg'
   */
  clauses(of: string, settings: SettingTexts): { readonly when: string; readonly ends?: string };
} & (ReadingsSource | ClockSource | PortalSource);

/** A kind that is evaluated by readings in order of time, or by presences on projects and terreinen. */
type ReadingsSource = { readonly source: 'readings' | 'presences' };
/** A kind that a timer evaluates, because no reading can trigger it. */
type ClockSource = { readonly source: 'clock'; readonly needs: MachineFactKind };
/** A kind about the portal itself. Only the organization `admin` has rules of these kinds. */
type PortalSource = { readonly source: 'portal'; readonly needs: PortalFactKind };

/** A fact about a machine by which a timer evaluates a kind. A kind that needs `forecast` or `usual-day` also gets the machine's charge. */
export type MachineFactKind = 'last-seen' | 'forecast' | 'usual-day' | 'plans' | 'faults';

/** A fact about the portal by which a kind is evaluated. */
export type PortalFactKind =
  | 'unknown-keys'
  | 'quarantined'
  | 'configurations'
  | 'empty-logs'
  | 'mails'
  | 'backup'
  | 'disks';

export type ThresholdSide = 'below' | 'above';

/** Figures of a roll-up bucket that bound the value which is compared with a threshold (server/alerts/candidate-ranges.store.ts). */
export type BucketFigure = 'level' | 'speed' | 'spread' | 'pack-times' | 'distance';
/** A condition that may have held at some time in a roll-up bucket. */
export type BucketCondition = 'plugged' | 'unplugged' | 'current' | 'no-current' | 'takes-current' | 'rests';

/** Which roll-up buckets may contain the beginning or the end of an alert, so that a preview reads no others. */
export type AlertBucketBounds = {
  readonly figure: BucketFigure;
  /** The condition may begin in a bucket only if all of these states occurred in it. */
  readonly firesIf?: readonly BucketCondition[];
  /** The condition may end in a bucket if any of these states occurred in it. */
  readonly okIf?: readonly BucketCondition[];
};

/** A reading, together with the values of earlier readings that are still fresh (watch.ts). `time`: ms. */
export type FreshReading = {
  readonly time: number;
  readonly values: Signals;
  readonly batteries: readonly BatteryState[];
  readonly isWork: boolean;
  readonly position: Position | undefined;
  /** The machine's last position in working hours, where it was left. */
  readonly left: Position | undefined;
  /** Scatter of the positions of the last hour, without those from before the machine was left, in metres. */
  readonly scatter: number;
  readonly hasMotor: boolean;
  /** When each pack last sent a value, in ms. */
  readonly packs: Readonly<Record<string, number>>;
};

/** 'firing': the condition holds. 'ok': it does not. 'unknown': neither is certain. */
export type Evaluation<Shown extends AlertFigures = AlertFigures> =
  | { readonly status: 'ok' | 'unknown' }
  | {
      readonly status: 'firing';
      /** The value that is compared with the rule's threshold, in the unit of the threshold. */
      readonly value: number;
      readonly figures: Shown;
    };
export const UNKNOWN_EVALUATION: Evaluation<never> = { status: 'unknown' };
export const OK_EVALUATION: Evaluation<never> = { status: 'ok' };

/** Returns whether a value is beyond a limit: below it for a kind that fires below its threshold, else above it. */
export const isBeyondLimit = (fires: ThresholdSide, value: number, limit = 0): boolean =>
  fires === 'below' ? value < limit : value > limit;

/** Evaluates a value: 'firing' if it is beyond `threshold`, 'ok' if it is back at the right side of `clear`, otherwise 'unknown'. */
export function compareWithThreshold<Shown extends AlertFigures>(
  fires: ThresholdSide,
  value: number,
  { threshold = 0, clear = threshold }: RuleSettings,
  figures: Shown,
): Evaluation<Shown> {
  if (isBeyondLimit(fires, value, threshold)) return { status: 'firing', value, figures };
  return (fires === 'below' ? value >= clear : value < clear) ? OK_EVALUATION : UNKNOWN_EVALUATION;
}

/** The texts of a kind's alerts: only the server makes them. */
type Texts<Shown extends AlertFigures> = {
  text(figures: Shown): string;
  /** An example of the figures with their text. */
  readonly sample: readonly [figures: Shown, text: string];
};

/** The evaluation of a kind of events: its texts, and the signals by which the engine finds the events. */
export type SubscriptionEvaluation<Shown extends AlertFigures> = Texts<Shown> & {
  /** Signals by which the kind is evaluated: their names, or a condition on the name. */
  readonly signals: readonly string[] | ((name: string) => boolean);
};

/** The evaluation of a condition that holds or does not hold at a reading. */
export type ConditionEvaluation<Shown extends AlertFigures> = SubscriptionEvaluation<Shown> & {
  readonly buckets: AlertBucketBounds;
  /** Shortest pending period in minutes, even if the rule has a shorter one. */
  readonly leastHold?: number;
  evaluate(moment: FreshReading, settings: RuleSettings): Evaluation<Shown>;
};

/** An alert condition that holds. Times in ms. */
export type AlertFinding<Shown extends AlertFigures = AlertFigures> = {
  readonly since: number;
  /** When the condition became an alert. A rule that was made after this time still notifies people once. */
  readonly at: number;
  /** Absent: the condition keeps an open alert open, but opens no new alert. */
  readonly figures?: Shown;
  /** The value that is compared with the rule's threshold, in the unit of the threshold. */
  readonly value?: number;
  /** Distinguishes alerts that can be open at the same time by one rule and machine, for example a fault code; else ''. */
  readonly subject: string;
};
export const NO_FINDINGS: readonly never[] = [];

export type TimerEvaluation<Shown extends AlertFigures> = Texts<Shown> & {
  /**
   * Alerts of one rule about several machines that begin within this time (ms) may share one cause: their
   * notifications wait for each other.
   */
  readonly togetherMs?: number;
  /** Returns whether the machine can have an alert now; called before the machine's facts are read. Absent: it always can. */
  isDue?(week: WorkWeek, settings: RuleSettings, now: number): boolean;
  /**
   * Returns the conditions that hold for a machine now.
   * @param openAt when the open alert of the same rule began, in ms
   * @param open subjects of the open alerts of the same rule
   */
  evaluate(
    machine: MachineState,
    settings: RuleSettings,
    now: number,
    openAt: number | undefined,
    open: ReadonlySet<string>,
  ): readonly AlertFinding<Shown>[];
  /** Returns when a condition that no longer holds ended, in ms; absent or undefined: the alert ends at the time of the evaluation. */
  endedAt?(machine: MachineState, subject: string): number | undefined;
};

export type PresenceEvaluation<Shown extends AlertFigures> = Texts<Shown>;

export type PortalEvaluation<Shown extends AlertFigures> = Texts<Shown> & {
  /** Returns the conditions that hold for the portal now. @param open subjects of the rule's open alerts */
  evaluate(
    portal: PortalState,
    settings: RuleSettings,
    now: number,
    open: ReadonlySet<string>,
  ): readonly (AlertFinding<Shown> & { readonly figures: Shown })[];
};

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const minutesField = (word: string, usual: number, least = 0): SettingField => ({
  word,
  unit: 'min',
  least,
  most: 24 * 60,
  usual,
});
export const pendingPeriodField = (usual: number): SettingField => minutesField('Zo lang achtereen', usual);
export const CLEAR_PERIOD_FIELD = minutesField('Voorbij na', 2);
