import { SETTING_NAMES, type SettingName } from './alerts/kinds/kind.ts';
import { isAlertKind, kindDefinition } from './alerts/kinds.ts';
import type { ShiftHours } from './alerts/work-week.ts';
import { fieldLabel } from './field-texts.ts';
import { compareByFieldOrder, logFieldLabel, logFieldValueText } from './log-fields.ts';
import type { LogKind } from './log-kinds.ts';
import { formatExactNumber, WEEKDAYS } from './nl.ts';
import { getOwnProperty } from './own-value.ts';

/** The Dutch texts of the audit log (Logboek), for its page, its CSV and the server. */

/** Every action that has a log row, with its kind and its Dutch text. A new action must be added here first. */
export const LOG_ACTIONS = {
  'session.start': ['sign-in', 'Ingelogd'],
  'session.end': ['sign-in', 'Uitgelogd'],
  'session.prove': ['sign-in', 'Opnieuw bevestigd'],
  'user.reset-password': ['sign-in', 'Nieuw wachtwoord met een code'],
  'user.change-password': ['sign-in', 'Wachtwoord gewijzigd'],
  'identity.link': ['sign-in', 'Single sign-on gekoppeld'],
  'identity.unlink': ['sign-in', 'Single sign-on losgekoppeld'],
  'factor.add': ['sign-in', 'Tweede factor toegevoegd'],
  'factor.rename': ['sign-in', 'Tweede factor hernoemd'],
  'factor.remove': ['sign-in', 'Tweede factor verwijderd'],
  'factor.disable': ['sign-in', 'Tweede factor uitgezet: mogelijk gekopieerd'],
  'factor.reset': ['sign-in', 'Tweede factoren van iemand gewist'],
  'factor.recovery-codes': ['sign-in', 'Nieuwe herstelcodes'],
  'session.refuse': ['refusal', 'Inloggen geweigerd'],
  'session.refuse-proof': ['refusal', 'Bewijs geweigerd'],
  'register.refuse': ['refusal', 'Registreren geweigerd'],
  'reset.refuse': ['refusal', 'Nieuw wachtwoord geweigerd'],
  'confirm.refuse': ['refusal', 'Bevestigen van e-mailadres geweigerd'],
  'invitation.refuse': ['refusal', 'Uitnodiging geweigerd'],
  'call.refuse': ['refusal', 'Geen toegang'],
  'user.create': ['account', 'Account gemaakt'],
  'user.register': ['account', 'Account geregistreerd'],
  'user.delete': ['account', 'Account verwijderd'],
  'user.leave': ['account', 'Account naar een andere organisatie'],
  'user.arrive': ['account', 'Account van een andere organisatie'],
  'user.move': ['account', 'Account verplaatst'],
  'user.role': ['account', 'Rol gewijzigd'],
  'user.limit': ['account', 'Beperking gewijzigd'],
  'user.rename': ['account', 'Naam gewijzigd'],
  'user.confirm-address': ['account', 'E-mailadres bevestigd'],
  'user.hand-over-confirmation': ['account', 'Link om te bevestigen doorgegeven'],
  'user.hand-over-password': ['sign-in', 'Link voor een nieuw wachtwoord doorgegeven'],
  'user.apply': ['account', 'Account aangevraagd'],
  'user.admit': ['account', 'Aanmelding goedgekeurd'],
  'user.refuse': ['account', 'Aanmelding afgewezen'],
  'invitation.create': ['account', 'Iemand uitgenodigd'],
  'invitation.revoke': ['account', 'Uitnodiging ingetrokken'],
  'invitation.accept': ['account', 'Uitnodiging aangenomen'],
  'report-mail.subscribe': ['account', 'Rapport per mail aangezet'],
  'report-mail.unsubscribe': ['account', 'Rapport per mail uitgezet'],
  'push.subscribe': ['account', 'Meldingen op een apparaat aangezet'],
  'push.unsubscribe': ['account', 'Meldingen op een apparaat uitgezet'],
  'alert.preferences': ['account', 'Manier van melden gewijzigd'],
  'alert.mute': ['account', 'Meldingen gedempt'],
  'alert.unmute': ['account', 'Meldingen niet meer gedempt'],
  'alert.take': ['account', 'Melding opgepakt'],
  'alert.release': ['account', 'Melding weer vrijgegeven'],
  'organization.create': ['organization', 'Organisatie gemaakt'],
  'organization.rename': ['organization', 'Naam van de organisatie gewijzigd'],
  'organization.enable': ['organization', 'Organisatie ingeschakeld'],
  'organization.disable': ['organization', 'Organisatie uitgeschakeld'],
  'organization.second-factor': ['organization', 'Verplichting van de tweede factor gewijzigd'],
  'organization.privacy': ['organization', 'Privacy-instellingen gewijzigd'],
  'organization.work-week': ['organization', 'Werkweek gewijzigd'],
  'organization.own-week': ['organization', 'Eigen werkweek gewijzigd'],
  'organization.own-week-delete': ['organization', 'Eigen werkweek verwijderd'],
  'contact.create': ['organization', 'Contact toegevoegd'],
  'contact.edit': ['organization', 'Contact gewijzigd'],
  'contact.delete': ['organization', 'Contact verwijderd'],
  'contact.use': ['organization', 'Contact gekozen'],
  'organization.renew-code': ['organization', 'Organisatiecode vernieuwd'],
  'organization.registration': ['organization', 'Manier van registreren gewijzigd'],
  'organization.oidc': ['organization', 'Single sign-on gewijzigd'],
  'organization.oidc-only': ['organization', 'Alleen single sign-on, of niet meer'],
  'organization.oidc-delete': ['organization', 'Single sign-on verwijderd'],
  'project.create': ['organization', 'Project gemaakt'],
  'project.edit': ['organization', 'Project gewijzigd'],
  'project.delete': ['organization', 'Project verwijderd'],
  'project.assign': ['organization', 'Machine op een project gezet'],
  'project.unassign': ['organization', 'Toewijzing aan een project verwijderd'],
  'project.change-assignment': ['organization', 'Begin en eind van een toewijzing aan een project gewijzigd'],
  'project.take-off': ['organization', 'Machine van een project gehaald'],
  'project.except': ['organization', 'Machine uitgezonderd van een project'],
  'project.unexcept': ['organization', 'Uitzondering van een project verwijderd'],
  'terrein.create': ['organization', 'Terrein gemaakt'],
  'terrein.edit': ['organization', 'Terrein gewijzigd'],
  'terrein.delete': ['organization', 'Terrein verwijderd'],
  'report-factor.create': ['organization', 'Factor voor rapporten toegevoegd'],
  'report-factor.edit': ['organization', 'Factor voor rapporten gewijzigd'],
  'report-factor.delete': ['organization', 'Factor voor rapporten verwijderd'],
  'charging-tariff.create': ['organization', 'Laadtarief toegevoegd'],
  'charging-tariff.edit': ['organization', 'Laadtarief gewijzigd'],
  'charging-tariff.delete': ['organization', 'Laadtarief verwijderd'],
  'organization.report-files': ['organization', 'Rapporten als bijlage bij mails, of niet meer'],
  'webhook.create': ['organization', 'Webhook gemaakt'],
  'webhook.edit': ['organization', 'Webhook gewijzigd'],
  'webhook.secret': ['organization', 'Nieuw geheim voor een webhook'],
  'webhook.switch': ['organization', 'Webhook aan- of uitgezet'],
  'webhook.delete': ['organization', 'Webhook verwijderd'],
  'webhook.test': ['organization', 'Proefbericht naar een webhook'],
  'webhook.resend': ['organization', 'Bericht opnieuw naar een webhook gestuurd'],
  'alert-rule.create': ['organization', 'Regel voor meldingen gemaakt'],
  'alert-rule.edit': ['organization', 'Regel voor meldingen gewijzigd'],
  'alert-rule.delete': ['organization', 'Regel voor meldingen verwijderd'],
  'maintenance-template.create': ['organization', 'Onderhoudssjabloon gemaakt'],
  'maintenance-template.edit': ['organization', 'Onderhoudssjabloon gewijzigd'],
  'maintenance-template.delete': ['organization', 'Onderhoudssjabloon verwijderd'],
  'maintenance-template.apply': ['organization', 'Onderhoudssjabloon toegepast'],
  'label.create': ['organization', 'Label gemaakt'],
  'label.edit': ['organization', 'Label gewijzigd'],
  'label.delete': ['organization', 'Label verwijderd'],
  'secrets.rotate': ['organization', 'Sleutel van het portaal vervangen'],
  'database.restore': ['organization', 'Back-up van het portaal teruggezet'],
  'organization.leave': ['organization', 'Verwijderen van een organisatie begonnen'],
  'organization.leave-undo': ['organization', 'Verwijderen van een organisatie teruggenomen'],
  'organization.delete': ['organization', 'Organisatie verwijderd'],
  'history.erase': ['machine', 'Geschiedenis van een vorige eigenaar gewist'],
  'machine.create': ['machine', 'Machine gemaakt'],
  'machine.edit': ['machine', 'Machine gewijzigd'],
  'machine.leave': ['machine', 'Machine naar een andere organisatie'],
  'machine.arrive': ['machine', 'Machine van een andere organisatie'],
  'machine.delete': ['machine', 'Machine verwijderd'],
  'machine.restore': ['machine', 'Machine teruggezet'],
  'readings.import': ['machine', 'Inlezen van een bestand begonnen'],
  'readings.imported': ['machine', 'Metingen uit een bestand ingelezen'],
  'readings.import-failed': ['machine', 'Inlezen van een bestand mislukt'],
  'photo.upload': ['machine', 'Foto geplaatst'],
  'photo.delete': ['machine', 'Foto verwijderd'],
  'manual.upload': ['machine', 'Handleiding geplaatst'],
  'manual.delete': ['machine', 'Handleiding verwijderd'],
  'maintenance.create': ['machine', 'Onderhoud toegevoegd'],
  'maintenance.edit': ['machine', 'Onderhoud gewijzigd'],
  'maintenance.done': ['machine', 'Onderhoud gedaan'],
  'maintenance.delete': ['machine', 'Onderhoud verwijderd'],
  'maintenance.from-template': ['machine', 'Onderhoud uit een sjabloon toegevoegd'],
  'label.assign': ['machine', 'Label op een machine gezet'],
  'label.unassign': ['machine', 'Label van een machine gehaald'],
  'favourite.add': ['machine', 'Machine als favoriet gekozen'],
  'favourite.remove': ['machine', 'Machine is geen favoriet meer'],
  'subscription.create': ['machine', 'Laadmails aangezet'],
  'subscription.delete': ['machine', 'Laadmails uitgezet'],
  'lmb-logger.create': ['logger', 'LMB logger gemaakt'],
  'lmb-logger.delete': ['logger', 'LMB logger verwijderd'],
  'lmb-logger.restore': ['logger', 'LMB logger teruggezet'],
  'writer.create': ['logger', 'Logger gekoppeld'],
  'writer.release': ['logger', 'Logger losgekoppeld'],
  'writer.take-back': ['logger', 'Koppeling van de logger teruggezet'],
  'readings.undo-import': ['machine', 'Import van metingen teruggedraaid'],
  'readings.erase': ['machine', 'Metingen gewist'],
  'readings.put-back': ['machine', 'Gewiste metingen teruggezet'],
  'writer.key': ['logger', 'Nieuwe sleutel voor de logger'],
  'writer.network': ['logger', 'Netwerk van de logger gewijzigd'],
  'writer.take-over': ['logger', 'Metingen uit quarantaine overgenomen'],
  'log-file.upload': ['logger', 'Logbestand geüpload'],
  'log-file.decode': ['logger', 'Logbestand opnieuw gedecodeerd'],
  'log-file.download': ['view', 'Logbestand gedownload'],
  'closed-week.download': ['view', 'Metingen van een week gedownload'],
  'config.create': ['logger', 'Configuratiebestand gemaakt'],
  'config.download': ['view', 'Configuratiebestand gedownload, met sleutel'],
  'dbc.upload': ['definition', 'DBC-bestand geplaatst'],
  'dbc.mapping': ['definition', 'Signalen gekoppeld'],
  'dbc.j1939': ['definition', 'J1939 van een CAN-bus gekozen'],
  'dbc.delete': ['definition', 'DBC-bestand verwijderd'],
  'dbc.restore': ['definition', 'Eerdere datadefinitie teruggezet'],
  'dbc.redecode': ['definition', 'Logbestanden opnieuw gedecodeerd'],
  'path.view': ['view', 'Route bekeken'],
  'user.export': ['view', 'Eigen gegevens gedownload'],
  'maintenance.export': ['view', 'Onderhoudslijst gedownload'],
  'report.export': ['view', 'Rapport gedownload'],
  'log.export': ['view', 'Logboek geëxporteerd'],
  'database.backup': ['view', 'Back-up van het portaal gemaakt'],
} as const satisfies Record<string, readonly [LogKind, string]>;
export type LogAction = keyof typeof LOG_ACTIONS;
/** Actions of kind 'refusal': one log row counts all such refusals of one minute, network and account. */
export type RefusalAction = {
  [Action in LogAction]: (typeof LOG_ACTIONS)[Action][0] extends 'refusal' ? Action : never;
}[LogAction];

const isKnown = (action: string): action is LogAction => Object.hasOwn(LOG_ACTIONS, action);

export const logKindOf = (action: LogAction): LogKind => LOG_ACTIONS[action][0];

/** Returns the Dutch text of an action; an action of an earlier or later version is returned as it is. */
export const actionText = (action: string): string => (isKnown(action) ? LOG_ACTIONS[action][1] : action);

/** Returns 'vertrokken account 12', for an account that was deleted or belongs to another organization now. */
export const departedAccountText = (id: number | string): string => `vertrokken account ${id}`;
/** Returns 'Bea (bea@klant.nl)', or only the name when there is no separate address. */
export const personText = ({
  name,
  email,
}: {
  readonly name: string;
  readonly email?: string | undefined;
}): string => (email === undefined ? name : `${name} (${email})`);
/** Text for people of `admin` in the log of other organizations. */
export const PORTAL_STAFF = 'Beheer van het portaal';
const PROGRAMS: Readonly<Record<string, string>> = {
  'sign-in': 'iemand die niet is ingelogd',
  'unsubscribe link': 'iemand met de link uit een mail',
  'first start': 'het portaal, bij de eerste start',
  demo: 'de demo',
  leaving: 'het portaal, na de bedenktijd',
  'final leaving': 'het portaal, direct definitief',
  webhook: 'het adres van de webhook, dat er niet meer is (410)',
};
/** Returns the Dutch text of the program that did an action without a person. */
export const actingProgramText = (name: string | null): string =>
  name === null ? 'onbekend' : (getOwnProperty(PROGRAMS, name) ?? `het portaal (${name})`);

/** The fields of a log entry from which its lines are made. */
type EntryContent = {
  readonly data: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
};

/** A line about a change or a fact: 'Naam: Kraan 1 → Kraan 2', 'Logger: 4000001'. */
export type LogEntryLine = { readonly name: string; readonly before?: string; readonly value: string };

/** Returns the lines of a log entry: its changes, then its `data`, without data that has the name of a change. */
export function logEntryLines({ data, changes }: EntryContent): LogEntryLine[] {
  const changed = Object.entries(changes).flatMap(([name, [before, after]]): LogEntryLine[] => {
    if (name === 'settings') return settingLines(data.kind, before, after);
    if (name === 'workDays') return workDayLines(before, after);
    return [
      {
        name: logFieldLabel(name),
        before: logFieldValueText(name, before),
        value: logFieldValueText(name, after),
      },
    ];
  });
  const known = new Set(changed.map(({ name }) => name));
  const facts = Object.entries(data)
    .filter(([name, value]) => value !== null && !known.has(logFieldLabel(name)))
    .sort(([one], [other]) => compareByFieldOrder(one, other))
    .map(([name, value]) => ({ name: logFieldLabel(name), value: logFieldValueText(name, value) }));
  return [...changed, ...facts];
}

/** Returns a line for each part of a changed field (a setting, a day of the week) whose text differs before and after the change. */
const partLines = (
  parts: readonly { readonly name: string; readonly before: string; readonly value: string }[],
): LogEntryLine[] => parts.filter(({ before, value }) => before !== value);

const asNumbers = (value: unknown): Readonly<Record<string, number>> =>
  (value ?? {}) as Readonly<Record<string, number>>;

/**
 * Returns the changed settings of an alert rule, with the names of its form: 'Onder: 20 % → 15 %'. An old row, which does not store the
 * rule's kind, gets general names.
 */
function settingLines(kind: unknown, before: unknown, after: unknown): LogEntryLine[] {
  const fields = typeof kind === 'string' && isAlertKind(kind) ? kindDefinition(kind).settings : {};
  const [had, has] = [asNumbers(before), asNumbers(after)];
  const shown = (value: number | undefined, unit = '') =>
    value === undefined ? 'geen' : `${formatExactNumber(value)} ${unit}`.trim();
  return partLines(
    SETTING_NAMES.map((name) => ({
      name: fields[name]?.word ?? ANY_SETTING[name],
      before: shown(had[name], fields[name]?.unit),
      value: shown(has[name], fields[name]?.unit),
    })),
  );
}
const ANY_SETTING: Readonly<Record<SettingName, string>> = {
  threshold: 'Grens',
  clear: 'Voorbij bij',
  hold: 'Zo lang achtereen (min)',
  clearHold: 'Voorbij na (min)',
  ahead: 'Zo lang voor het begin (min)',
};

/** Returns one line per day of a work week that changed ('Maandag: 07:00-17:00 → vrij'). */
function workDayLines(before: unknown, after: unknown): LogEntryLine[] {
  const hoursOf = (days: unknown, day: number): string => {
    const hours = (days as readonly (ShiftHours | null)[] | null)?.[day];
    return hours ? `${hours.from}-${hours.to}` : 'vrij';
  };
  return partLines(
    WEEKDAYS.map((_, day) => ({
      name: fieldLabel(`workDays.${day}`),
      before: hoursOf(before, day),
      value: hoursOf(after, day),
    })),
  );
}

export const logEntryLineText = ({ name, before, value }: LogEntryLine): string =>
  `${name}: ${before === undefined ? '' : `${before} → `}${value}`;
