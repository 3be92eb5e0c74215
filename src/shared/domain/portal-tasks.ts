/** Settings that a public portal needs, as tasks for its administrators, in the order in which the page lists them. */
export const PORTAL_TASKS = {
  mail: {
    word: 'Geen mailserver',
    why: 'Mails (uitnodigingen, nieuwe wachtwoorden, meldingen) worden bestanden in DATA_DIR/mail en bereiken niemand.',
    whatToDo: 'Zet SMTP_URL op een mailserver.',
  },
  'second-factor': {
    word: 'Geen tweede stap bij het inloggen',
    why: 'Met alleen een wachtwoord is het portaal open, ook voor administrators.',
    whatToDo: 'Zet REQUIRE_SECOND_FACTOR op admin of all.',
  },
  https: {
    word: 'Geen https',
    why: 'Wachtwoorden en cookies gaan onbeveiligd over het netwerk.',
    whatToDo: 'Zet een proxy met TLS voor het portaal, en het https-adres in PUBLIC_URL.',
  },
  backup: {
    word: 'Geen back-ups',
    why: 'Het portaal maakt vanzelf geen back-ups.',
    whatToDo: 'Zet BACKUP_DIR op een map op een andere schijf.',
  },
} as const;
export type PortalTask = keyof typeof PORTAL_TASKS;
export const PORTAL_TASK_NAMES = Object.keys(PORTAL_TASKS) as PortalTask[];
