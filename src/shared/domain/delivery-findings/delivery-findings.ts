import { DELIVERY_TEXTS, QUARANTINE_TEXTS, readingCountText } from './delivery-texts.ts';
import { type BilingualText, FORMAT_TEXTS } from './format-texts.ts';

type Text = string | BilingualText;
type Texts = Readonly<Record<string, Text | ((figures: never) => Text)>>;

/** The kind and figures of a finding, derived from the parameters of the functions in a table of texts. */
type FindingOf<Table extends Texts> = {
  [Kind in keyof Table]: { readonly kind: Kind } & (Table[Kind] extends (figures: infer Figures) => unknown
    ? Readonly<Figures>
    : unknown);
}[keyof Table];

/** Why readings are quarantined until an administrator decides. */
export type QuarantineReason = FindingOf<typeof QUARANTINE_TEXTS>;

/** Readings of a log file that are quarantined, or that an administrator adopted. */
type Quarantined = {
  readonly count: number;
  readonly reason: QuarantineReason;
  readonly isAdopted?: boolean;
};
const quarantined = ({ count, reason, isAdopted }: Quarantined): string =>
  `${readingCountText(count)} ${dutchFindingText(reason)} (${isAdopted ? 'overgenomen' : 'over te nemen bij Quarantaine'})`;

const TEXTS = { ...FORMAT_TEXTS, ...QUARANTINE_TEXTS, ...DELIVERY_TEXTS, quarantined };

/** A finding of a reader of log files, which has an English text too. */
export type FormatFinding = FindingOf<typeof FORMAT_TEXTS>;

/**
 * A fact about an upload of a logger: what the upload contained, or why a part of it is not in the history. The fact's
 * kind and figures are stored and sent; its text is made when it is shown.
 */
export type DeliveryFinding = FindingOf<typeof TEXTS>;

/** The finding about a stored file whose kind the portal does not decode. */
export const NOT_DECODED_FINDING: DeliveryFinding = { kind: 'not-decoded' };

function textOf(finding: DeliveryFinding): Text {
  const text = TEXTS[finding.kind] as Text | ((figures: DeliveryFinding) => Text);
  return typeof text === 'function' ? text(finding) : text;
}

/** Returns the Dutch text of a finding, for screens. */
export function dutchFindingText(finding: DeliveryFinding): string {
  const text = textOf(finding);
  return typeof text === 'string' ? text : text.nl;
}

/** Returns the English text of a finding, for the command line. */
export const englishFindingText = (finding: FormatFinding): string => (textOf(finding) as BilingualText).en;

/** Returns the texts of findings as one sentence part: '0 metingen; het bestand is leeg'. */
export const dutchFindingsText = (findings: readonly DeliveryFinding[]): string =>
  findings.map(dutchFindingText).join('; ');
