import type { DefinitionBus, SeenJ1939Sources } from '#shared/contract/definition.ts';
import { sourceAddressText } from '#shared/domain/j1939.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { Panel } from '#web/ui/panel.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { absentCountsText } from './sender-field.tsx';
import { signalLabel } from './signal-text.ts';

type SeenPanelProps = { readonly seen: SeenJ1939Sources; readonly buses: readonly DefinitionBus[] };

/** Panel that shows, from the stored log files, which J1939 addresses sent which messages, and which signals had no value. */
export function SeenSourcesPanel({ seen, buses }: SeenPanelProps) {
  const { files, messages, absent, dropped } = seen;
  const named = messages.map(({ bus, identifier, sources }) => {
    const known = buses.find((one) => one.bus === bus)?.messages.find((one) => one.identifier === identifier);
    return { key: `${bus} ${identifier}`, bus, identifier, name: known?.name ?? identifier, sources };
  });
  return (
    <Panel title="J1939 in de logbestanden">
      <p className="quiet measure">
        Gezien in {formatNumber(files)} {files === 1 ? 'logbestand' : 'logbestanden'} van de laatste 30 dagen.
        Een waarde die niet beschikbaar is of fout, telt als niet verstuurd.
        {dropped > 0 &&
          ` ${formatNumber(dropped)} ${dropped === 1 ? 'lang bericht is' : 'lange berichten zijn'} onderbroken en weggelaten.`}
      </p>
      <h3>Afzenders</h3>
      {named.length === 0 ? (
        <p>Geen bericht uit de DBC-bestanden kwam voorbij.</p>
      ) : (
        <SearchedList
          items={named}
          textOf={({ name, identifier, sources }) =>
            `${name} ${identifier} ${sources.map(({ source }) => sourceAddressText(source)).join(' ')}`
          }
          label="Zoek een bericht"
          placeholder="Naam, nummer of afzender"
          plural="berichten"
        >
          {(found) => (
            <ul className="rows">
              {found.map(({ key, bus, identifier, name, sources }) => (
                <li key={key}>
                  <span>
                    <strong>{name}</strong>{' '}
                    <span className="quiet small">
                      can{bus} · {identifier}
                    </span>
                  </span>
                  <span className="cluster gap-2-4 stretch">
                    {sources.map(({ source, frames }) => (
                      <span key={source}>
                        <strong>{sourceAddressText(source)}</strong> {formatNumber(frames)}×
                      </span>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </SearchedList>
      )}
      {absent.length > 0 && (
        <>
          <h3>Signalen zonder waarde</h3>
          <SearchedList
            items={absent}
            textOf={({ name }) => `${name} ${signalLabel(name)}`}
            label="Zoek een signaal zonder waarde"
            placeholder="Naam"
            plural="signalen"
          >
            {(found) => (
              <ul className="rows">
                {found.map((one) => (
                  <li key={one.name}>
                    <strong>{signalLabel(one.name)}</strong>
                    <span>{absentCountsText(one)}</span>
                  </li>
                ))}
              </ul>
            )}
          </SearchedList>
        </>
      )}
    </Panel>
  );
}
