import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { sanitizeUntrustedText } from './untrusted-text.ts';

/** Maximum length of a text in a finding, such as a part of a file, in UTF-16 units. */
const MAX_FINDING_TEXT_CHARACTERS = 300;
/** Maximum number of findings; a file usually has a handful. */
const MAX_FINDINGS = 50;

/** Returns findings as JSON for PostgreSQL, with the texts of files and loggers made printable and short. */
export const findingsToJson = (findings: readonly DeliveryFinding[]): string =>
  JSON.stringify(findings.slice(0, MAX_FINDINGS), (_, value: unknown) =>
    typeof value === 'string' ? sanitizeUntrustedText(value, MAX_FINDING_TEXT_CHARACTERS) : value,
  );
