import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { untrustedText } from './untrusted-text.ts';

/** Maximum length of a text in a finding, such as a part of a file, in UTF-16 units. */
const LONGEST_FIGURE = 300;
/** Maximum number of findings; a file usually has a handful. */
const MOST_FINDINGS = 50;

/** Returns findings as JSON for PostgreSQL, with the texts of files and loggers made printable and short. */
export const storedFindings = (findings: readonly DeliveryFinding[]): string =>
  JSON.stringify(findings.slice(0, MOST_FINDINGS), (_, value: unknown) =>
    typeof value === 'string' ? untrustedText(value, LONGEST_FIGURE) : value,
  );
