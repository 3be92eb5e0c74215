/** The progress of a logger's configuration in steps, and the advice about the next one (MEDIT-15). */
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import type { ListedStep } from '#web/ui/step-list.tsx';

const at = (iso: string): string => dateAndTime(Date.parse(iso));
/** Returns a step for the list: done, with `done` and the time, if the step has a time; otherwise open, with the text `open`. */
const timed = (iso: string | null, done: string, open: string): ListedStep =>
  iso === null ? { text: open, state: 'open' } : { text: `${done} ${at(iso)}`, state: 'done' };

/** Returns the steps bound, made, downloaded and running, with their times. A CANedge does not report which settings run. */
export function configSteps({ loggerId, kind, chain, config, lastUpload }: LoggerHealth): ListedStep[] {
  const bound: ListedStep = chain.writer
    ? { text: `Logger ${loggerId} is gekoppeld`, state: 'done' }
    : { text: 'Nog geen logger gekoppeld', state: 'open' };
  if (kind === 'canedge')
    return [
      bound,
      timed(config.createdAt, 'Instellingen gemaakt op', 'Instellingen nog niet gemaakt'),
      timed(config.downloadedAt, 'Getoond op', 'Nog niet getoond'),
      timed(lastUpload, 'Laatste upload op', 'Nog niets ontvangen'),
    ];
  return [
    bound,
    timed(config.createdAt, 'Configuratie gemaakt op', 'Configuratie nog niet gemaakt'),
    timed(config.downloadedAt, 'Gedownload op', 'Nog niet gedownload'),
    config.runsAnother
      ? { text: 'Andere configuratie actief', state: 'failed' }
      : timed(config.runningSince, 'Actief in de logger sinds', 'Nog niet actief in de logger'),
  ];
}

/** Returns what the user must do next, as a Dutch text; undefined if nothing is needed or the list of steps already shows it. */
export function configAdvice(
  { kind, chain, config, replaceKeyBy }: LoggerHealth,
  now: number,
): string | undefined {
  if (replaceKeyBy !== null) return keyAdvice(replaceKeyBy, now);
  if (!chain.config) return undefined;
  if (config.oldAddress !== null)
    return `Deze configuratie noemt het oude adres van het portaal: ${config.oldAddress}. Maak een nieuwe en laad die in de logger; tot dan moet het oude adres blijven werken.`;
  if (config.outdated && kind === 'canedge')
    return 'Sinds deze instellingen is er iets gewijzigd (sleutel of een instelling van het portaal). Maak nieuwe en zet die in de CANedge.';
  if (config.outdated)
    return 'Sinds deze configuratie is er iets gewijzigd (sleutel, netwerk, datadefinitie of een instelling van het portaal). Maak een nieuwe en laad die in de logger.';
  if (config.runsAnother)
    return 'De logger meldt een andere configuratie dan de nieuwste. Laad de nieuwste config.xml in de logger.';
  return undefined;
}

/** Returns the advice to replace the key of a sold machine. @param replaceBy ISO time @param now unix ms */
function keyAdvice(replaceBy: string, now: number): string {
  const why = 'De machine is verkocht, en de vorige eigenaar kan de sleutel van de logger kennen.';
  return Date.parse(replaceBy) > now
    ? `${why} Maak een nieuwe configuratie en laad die vóór ${at(replaceBy)} in de logger. Wat hij daarna nog met de oude sleutel stuurt, wacht in quarantaine.`
    : `${why} Sinds ${at(replaceBy)} wacht wat hij stuurt in quarantaine. Maak een nieuwe configuratie en laad die in de logger.`;
}
