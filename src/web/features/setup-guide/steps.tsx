import { type ComponentType, Fragment, type ReactNode } from 'react';
import { CreateDrawing, FormDrawing, SerialDrawing } from './portal-drawings.tsx';
import styles from './setup-guide-page.module.css';
import {
  DownloadDrawing,
  PlugInDrawing,
  ReflashDrawing,
  RunDrawing,
  StorageDrawing,
  SuccessDrawing,
} from './tool-drawings.tsx';

type GuideStep = {
  readonly title: string;
  readonly Picture: ComponentType;
  readonly text: ReactNode;
};

const TOOL = 'https://www.influxtechnology.com/';

/** The nine steps of MEDIT-13, with the clicks that the manufacturer of the logger documents. */
export const STEPS: readonly GuideStep[] = [
  {
    title: 'Installeer ReXdesk',
    Picture: DownloadDrawing,
    text: (
      <p>
        ReXdesk is het programma van de fabrikant van de logger. Download het van{' '}
        <a href={TOOL} target="_blank" rel="noreferrer">
          influxtechnology.com<span className="sr-only"> (opent in een nieuw tabblad)</span>
        </a>{' '}
        en installeer het op een computer met Windows.
      </p>
    ),
  },
  {
    title: 'Sluit de logger aan',
    Picture: PlugInDrawing,
    text: <p>Open ReXdesk en sluit de logger met de USB-kabel aan. Wacht tot ReXdesk de logger toont.</p>,
  },
  {
    title: 'Vernieuw de firmware',
    Picture: ReflashDrawing,
    text: (
      <>
        <ClickPath clicks={['Device', 'Reflash']} />
        <p>Open het zip-bestand met de firmware. Laat de kabel zitten tot ReXdesk zegt dat het klaar is.</p>
      </>
    ),
  },
  {
    title: 'Neem het serienummer over',
    Picture: SerialDrawing,
    text: (
      <p>
        Lees in ReXdesk het serienummer van de logger en typ het op deze website bij <b>Influx serienummer</b>
        . Het zijn 7 cijfers; nullen vooraan horen erbij.
      </p>
    ),
  },
  {
    title: 'Vul de andere velden in',
    Picture: FormDrawing,
    text: (
      <p>
        Kies bij <b>Vergelijkbare Machine</b> een machine van hetzelfde type: haar datadefinitie wordt
        gekopieerd. Voeg hulpstukken toe, of neem ze met <b>Importeer</b> over van een andere machine.
      </p>
    ),
  },
  {
    title: 'Druk op ‘Maak Machine’',
    Picture: CreateDrawing,
    text: (
      <p>
        Wacht tot het bestand <b>config.xml</b> is gedownload. Geef dat aan niemand anders: de geheime sleutel
        van de logger staat erin.
      </p>
    ),
  },
  {
    title: 'Maak de logger leeg en zet hem gelijk',
    Picture: StorageDrawing,
    text: (
      <>
        <ClickPath clicks={['Internal Storage', 'Format SD', 'Yes']} />
        <ClickPath clicks={['Set Time', 'Synchronize with PC']} />
        <p>Format SD wist alle metingen die nog op de logger staan.</p>
      </>
    ),
  },
  {
    title: 'Laad de configuratie',
    Picture: RunDrawing,
    text: (
      <>
        <p>
          Open het project, kies het gedownloade <b>config.xml</b> en druk op <b>Run</b>:
        </p>
        <ClickPath clicks={['Config Menu', 'Run', 'Run Config Using External File', 'Browse', 'Open']} />
      </>
    ),
  },
  {
    title: 'Klaar',
    Picture: SuccessDrawing,
    text: (
      <p>
        Het is gelukt als ReXdesk <b lang="en">configuration uploaded successfully</b> zegt. Zodra de logger
        verbinding heeft, staat de machine op de kaart.
      </p>
    ),
  },
];

/** The clicks in the tool, in order. */
function ClickPath({ clicks }: { readonly clicks: readonly string[] }) {
  return (
    <p className="cluster gap-1" lang="en">
      {clicks.map((click, at) => (
        <Fragment key={click}>
          {at > 0 && (
            <span className="quiet">
              <span aria-hidden="true">›</span>
              <span className="sr-only">, </span>
            </span>
          )}
          <span className={`${styles.click} outlined px-2 strong small`}>{click}</span>
        </Fragment>
      ))}
    </p>
  );
}
