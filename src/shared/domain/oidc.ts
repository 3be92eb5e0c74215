/** Sign-in by an organization's own identity provider (OpenID Connect): its Dutch texts, and the check of a domain. */

/** Outcomes of a sign-in by the provider, with their Dutch texts. */
export const OIDC_OUTCOME_TEXTS = {
  linked: 'Je account is gekoppeld. Je kunt nu inloggen via je organisatie.',
  waits: 'Je aanvraag is verstuurd. Je krijgt een mail zodra je beheerder je toelaat.',
  cancelled: 'Je hebt het inloggen bij je organisatie afgebroken.',
  again: 'Het inloggen duurde te lang of was al afgerond. Probeer het opnieuw.',
  unreachable: 'De inlogdienst van je organisatie antwoordt niet. Probeer het later opnieuw.',
  refused: 'Het antwoord van de inlogdienst van je organisatie klopt niet. Meld dit bij je beheerder.',
  unverified:
    'De inlogdienst van je organisatie bevestigt je e-mailadres niet. Vraag je beheerder om een uitnodiging.',
  elsewhere:
    'Bij de inlogdienst heb je een e-mailadres dat niet bij deze organisatie hoort. Gebruik de link in de mail van je uitnodiging, of vraag je beheerder om een uitnodiging.',
  exists:
    'Er is al een account met jouw e-mailadres. Vul één keer het wachtwoord ervan in: daarna log je in via je organisatie.',
  other:
    'De inlogdienst kent je onder een ander e-mailadres dan dat van de uitnodiging. Log daar uit en probeer het opnieuw, of laat je op dat adres uitnodigen.',
  taken: 'Met dit account van je organisatie is al een ander account gekoppeld.',
  moved: 'Je account hoort niet meer bij deze organisatie. Log in met je wachtwoord.',
  uninvited: 'Alleen wie is uitgenodigd krijgt een account. Vraag je beheerder om een uitnodiging.',
  ended: 'Deze uitnodiging geldt niet meer. De link in je mail zegt waarom.',
  account:
    'Er is al een account met het e-mailadres van de uitnodiging. Log daarmee in, of laat je op een ander adres uitnodigen.',
  departed: 'Je account is verwijderd. Vraag je beheerder om een uitnodiging.',
  disabled: 'Je organisatie is uitgeschakeld, daarom kun je niet inloggen. Vraag je beheerder ernaar.',
} as const;
export type OidcOutcome = keyof typeof OIDC_OUTCOME_TEXTS;

/** Returns the hash of the URL to which the callback redirects: `/signin#oidc=cancelled`. */
export const oidcOutcomeHash = (outcome: OidcOutcome): string => `#oidc=${outcome}`;

/** Returns the outcome in the hash of a URL. */
export function parseOidcOutcome(hash: string): OidcOutcome | undefined {
  const name = /^#oidc=(\w+)$/.exec(hash)?.[1];
  return name !== undefined && Object.hasOwn(OIDC_OUTCOME_TEXTS, name) ? (name as OidcOutcome) : undefined;
}

/** Returns the hash of the URL for the second step of a sign-in: `/signin#stap=totp.passkey`. */
export const factorKindsHash = (kinds: readonly string[]): string => `#stap=${kinds.join('.')}`;

/** Returns the kinds of factors in the hash of a URL. */
export const parseFactorKindsHash = (hash: string): readonly string[] | undefined =>
  /^#stap=([a-z.]+)$/.exec(hash)?.[1]?.split('.');

/** Message for a correct password in an organization whose people may sign in by its provider only. */
export const ONLY_OIDC_MESSAGE =
  "Je organisatie laat alleen inloggen met haar eigen account toe. Kies 'Log in via je organisatie'.";

/** Domains of public e-mail services, whose addresses do not show where a person works. */
const OF_EVERYBODY: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.nl hotmail.com hotmail.nl live.com live.nl msn.com yahoo.com yahoo.nl icloud.com
  me.com proton.me protonmail.com gmx.com gmx.net gmx.de aol.com mail.com ziggo.nl kpnmail.nl kpnplanet.nl planet.nl home.nl
  hetnet.nl xs4all.nl casema.nl upcmail.nl chello.nl quicknet.nl solcon.nl tele2.nl telfort.nl zonnet.nl telenet.be skynet.be`.split(
    /\s+/,
  ),
);

/** Checks a domain of e-mail addresses; the value is in lower case, as in DNS. */
export function checkEmailDomain(
  typed: string,
): { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string } {
  const value = typed.trim().replace(/^@/, '').replace(/\.$/, '').toLowerCase();
  const labels = value.split('.');
  const isDomain =
    value.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label)) &&
    /[a-z]/.test(labels.at(-1) as string);
  if (!isDomain)
    return { ok: false, reason: 'Domein is geen domein, zoals bedrijf.nl: wat achter de @ staat.' };
  if (OF_EVERYBODY.has(value))
    return { ok: false, reason: `Domein: bij ${value} kan iedereen een adres krijgen.` };
  return { ok: true, value };
}

/** Returns the domain of a typed e-mail address; undefined while it is incomplete, and for public e-mail services. */
export function emailDomainOf(email: string): string | undefined {
  const checked = checkEmailDomain(email.trim().split('@')[1] ?? '');
  return checked.ok ? checked.value : undefined;
}
