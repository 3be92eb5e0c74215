import type { LoggerEvent } from '#shared/contract/writers.ts';
import { ageText, dateAndTime } from '#shared/domain/nl.ts';
import { refusalText } from '#shared/domain/upload-refusals.ts';
import { Panel } from '#web/ui/panel.tsx';

type EventsPanelProps = { readonly events: readonly LoggerEvent[] };

/** Panel that lists the events of the logger since it was bound, newest first. */
export function EventsPanel({ events }: EventsPanelProps) {
  if (events.length === 0) return null;
  return (
    <Panel title="Gebeurtenissen">
      <details>
        <summary className="fold">
          Sinds de koppeling: {events.length === 1 ? '1' : `de laatste ${events.length}`}
        </summary>
        <ol className="stack">
          {events.map((event, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events of one kind may have the same time.
            <li className="stack gap-0 wrap" key={`${event.at} ${event.kind} ${n}`}>
              <strong>{eventText(event)}</strong>
              <span className="quiet small">{dateAndTime(Date.parse(event.at))}</span>
            </li>
          ))}
        </ol>
      </details>
    </Panel>
  );
}

type EventText = string | ((detail: string) => string);
const named =
  (text: string) =>
  (detail: string): string =>
    detail === '' ? text : `${text}: ${detail}`;

const EVENT_TEXTS: Readonly<Record<LoggerEvent['kind'], EventText>> = {
  bound: (serial) => `Logger ${serial} gekoppeld`,
  'key-made': named('Sleutel gemaakt'),
  'key-used': named('Sleutel voor het eerst gebruikt'),
  'key-ended': named('Sleutel vervallen'),
  'config-made': 'Configuratie gemaakt',
  'config-downloaded': 'Configuratie gedownload',
  'config-running': named('Configuratie van het portaal actief'),
  'config-another': named('Andere configuratie actief'),
  heard: (silenceS) =>
    silenceS === '' ? 'Eerste upload' : `Weer gehoord na ${ageText(Number(silenceS) * 1000)} stilte`,
  error: named('Fout'),
  refused: (refusal) => `Geweigerd: ${refusalText(refusal)}`,
  firmware: named('Nieuwe firmware'),
  'frozen-clock': 'De GPS-klok stond stil',
  'log-file': named('Logbestand'),
  'unread-file': named('Bestand ontvangen dat het portaal niet leest'),
  deleted: (serial) => `Met ${serial} verwijderd`,
  restored: (serial) => `Met ${serial} teruggezet`,
  released: 'Losgekoppeld',
  'taken-back': 'Koppeling teruggezet',
};

export function eventText({ kind, detail }: Pick<LoggerEvent, 'kind' | 'detail'>): string {
  const text = EVENT_TEXTS[kind];
  return typeof text === 'string' ? text : text(detail);
}
