/** Checks names of organizations (ORG-04), and refuses names that look like `admin` (docs/design.md section 9). */
import { ADMIN_ORGANIZATION } from './access.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import type { CheckResult } from './identifiers.ts';
import { namesLookAlike } from './name-look.ts';

/** Characters that can pass for a letter. */
const READ_AS: Readonly<Record<string, string>> = { 4: 'a', '@': 'a', '!': 'i' };

/** Returns true for any name that looks like `admin`: by case, blanks, signs, accents or look-alike letters. */
export const isReservedOrganizationName = (name: string): boolean =>
  namesLookAlike(
    name.replace(/[4@!]/g, (sign) => READ_AS[sign] ?? sign),
    ADMIN_ORGANIZATION,
  );

/** Path segments of other routes (/organization/nieuw), which cannot be the page of an organization. */
const OF_ROUTES = ['nieuw'];

const refused = (reason: string): CheckResult => ({ ok: false, reason });
const RESERVED = 'lijkt te veel op de naam van de beheerders.';
const { name: NAME, clean: CLEAN } = FIELD_TEXTS;

/** Checks the 'Functionele Bedrijfs Naam': a slug of 2 to 64 lowercase letters, digits and single hyphens between them. */
export function checkOrganizationName(text: string): CheckResult {
  const value = text.trim();
  if (value === '') return refused(`${NAME} ontbreekt.`);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value)) {
    return refused(`${NAME} mag alleen kleine letters, cijfers en streepjes ertussen bevatten.`);
  }
  if (OF_ROUTES.includes(value)) return refused(`${NAME} mag niet '${value}' zijn.`);
  if (value.length < 2 || value.length > 64) {
    return refused(`${NAME} moet 2 tot 64 tekens lang zijn.`);
  }
  return isReservedOrganizationName(value) ? refused(`${NAME} ${RESERVED}`) : { ok: true, value };
}

/** Checks the 'Nette Bedrijfs Naam': 1 to 100 characters of one line; a run of blanks becomes one blank. */
export function checkOrganizationDisplayName(text: string): CheckResult {
  const value = text
    .normalize('NFC')
    .trim()
    .replace(/\p{Zs}+/gu, ' ');
  if (/\p{C}|\p{Zl}|\p{Zp}/u.test(value)) return refused(`${CLEAN} bevat een onleesbaar teken.`);
  const { length } = [...value];
  if (length < 1) return refused(`${CLEAN} ontbreekt.`);
  if (length > 100) return refused(`${CLEAN} mag hoogstens 100 tekens lang zijn.`);
  return isReservedOrganizationName(value) ? refused(`${CLEAN} ${RESERVED}`) : { ok: true, value };
}
