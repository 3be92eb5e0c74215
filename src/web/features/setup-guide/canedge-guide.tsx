import styles from './setup-guide-page.module.css';

const MAKER = 'https://www.csselectronics.com/';

/** The setup steps for a CANedge, which gets no config.xml: a technician enters the settings in the CANedge's configuration. */
export const CanedgeGuide = () => (
  <section className={`${styles.more} measure mt-8`} aria-labelledby="guide-canedge">
    <h2 className="mb-3" id="guide-canedge">
      Met een CANedge
    </h2>
    <p>
      Een CANedge van{' '}
      <a href={MAKER} target="_blank" rel="noreferrer" className={styles.maker}>
        CSS Electronics<span className="sr-only"> (opent in een nieuw tabblad)</span>
      </a>{' '}
      krijgt geen config.xml. Doe dit in plaats van de negen stappen:
    </p>
    <ol className="numbered">
      <li className="mb-2">
        Kies bij <b>Soort logger</b> CANedge en typ het <b>Device ID</b>: 8 tekens, op de logger en in
        device.json op zijn SD-kaart.
      </li>
      <li className="mb-2">
        Open na <b>Maak Machine</b> de machine met Edit en klik op <b>Toon instellingen voor de CANedge</b>.
      </li>
      <li className="mb-2">
        Open de configuratie van de CANedge in de editor van de fabrikant. Neem de instellingen over bij{' '}
        <b lang="en">Connect, S3, Server</b>, of neem de JSON over. Stel daar ook de wifi of de simkaart in.
      </li>
      <li className="mb-2">
        Zet bij <b lang="en">Log, File</b> de <b lang="en">File split time period</b> op 60 seconden. Het
        portaal volgt de machine dan met een vertraging van een minuut.
      </li>
      <li className="mb-2">
        Laat bij <b lang="en">Log</b> de compressie en de versleuteling uit staan: zulke bestanden kan het
        portaal niet lezen.
      </li>
      <li className="mb-2">
        Bewaar de configuratie op de SD-kaart en zet de CANedge aan. Na een paar minuten staat de laatste
        upload bij <b>Toestand van de logger</b>.
      </li>
      <li className="mb-2">
        Upload bij <b>Datadefinitie</b> het DBC-bestand van kanaal 1 bij CAN-bus 1, en dat van kanaal 2 bij
        CAN-bus 2. De positie van zijn GPS-ontvanger heeft geen DBC-bestand nodig. De CANedge neemt alle
        berichten op: na een wijziging van de koppeling hoeft er niets in de logger te veranderen.
      </li>
    </ol>
    <p>
      Was de CANedge zonder netwerk, dan stuurt hij zijn bestanden later. Je kunt ze ook van de SD-kaart halen
      en bij <b>Logbestanden</b> op de pagina van de machine neerzetten.
    </p>
  </section>
);
