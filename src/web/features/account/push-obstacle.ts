/** The properties of a browser that decide whether it can show notifications. */
export type PushFacts = {
  /** The page was loaded over https or from localhost. */
  readonly isSecure: boolean;
  readonly knowsPush: boolean;
  /** An iPhone or iPad, which notifies only apps on the home screen. */
  readonly isApple: boolean;
  /** The portal was opened from the home screen or as an installed app. */
  readonly isInstalled: boolean;
  readonly permission: NotificationPermission;
};

/** Returns why notifications cannot be switched on in this browser and what to do about it; undefined if they can. */
export function pushObstacle({
  isSecure,
  knowsPush,
  isApple,
  isInstalled,
  permission,
}: PushFacts): string | undefined {
  if (!isSecure)
    return 'Meldingen werken alleen als het adres van het portaal met https begint. Vraag ernaar bij wie het portaal beheert.';
  if (!knowsPush && isApple)
    return isInstalled
      ? 'Dit apparaat is te oud voor meldingen: ze werken vanaf iOS 16.4. Kijk bij Instellingen, Algemeen, Software-update.'
      : 'Op een iPhone of iPad werken meldingen alleen vanaf het beginscherm: tik in Safari op Deel, kies ‘Zet op beginscherm’, open Werkstroom daar en kom op deze pagina terug.';
  if (!knowsPush)
    return 'Deze browser kan geen meldingen tonen, of niet in een privévenster. Probeer een gewoon venster van Chrome, Edge, Firefox of Safari.';
  if (permission !== 'denied') return undefined;
  return isApple
    ? 'Dit apparaat staat meldingen van het portaal niet toe. Zet ze aan bij Instellingen, Meldingen, Werkstroom.'
    : 'Deze browser houdt meldingen van het portaal tegen. Klik op het teken links van het adres en zet ‘Meldingen’ op ‘Toestaan’. In de geïnstalleerde app: bij de instellingen van de app.';
}

/** Returns the properties of this browser. */
export const readPushFacts = (knowsPush: boolean): PushFacts => ({
  isSecure: window.isSecureContext,
  knowsPush,
  // An iPad reports itself as a Mac; a Mac has no touch screen.
  isApple:
    /iPhone|iPad/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1),
  isInstalled: window.matchMedia('(display-mode: standalone)').matches,
  permission: knowsPush ? Notification.permission : 'default',
});
