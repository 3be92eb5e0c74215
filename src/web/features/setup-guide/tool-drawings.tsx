/** Drawings of the steps in the desktop tool of the logger's manufacturer. Only the texts and places in its windows are exact. */

import styles from './drawing.module.css';
import {
  Drawing,
  DrawnButton,
  DrawnFile,
  DrawnLogger,
  DrawnMenu,
  DrawnPointer,
  DrawnWindow,
  type Point,
} from './drawing.tsx';

export const DownloadDrawing = () => (
  <Drawing alt="Een downloadpagina met een knop Download, en daaronder de voortgang van het installeren.">
    <DrawnWindow x={40} y={18} width={240} height={150} title="influxtechnology.com">
      <rect className={styles.brand} x="18" y="38" width="40" height="40" rx="9" />
      <path className={styles.onGood} d="M38 47v18m-8-8l8 8 8-8" />
      <text className={styles.digits} x="72" y="54">
        ReXdesk
      </text>
      <text className={styles.small} x="72" y="70">
        voor Windows
      </text>
      <DrawnButton x={146} y={45} width={76} height={26} label="Download" look="chosen" />
      <text className={styles.small} x="18" y="105">
        Installeren
      </text>
      <rect className={styles.track} x="18" y="113" width="204" height="10" rx="5" />
      <rect className={styles.brand} x="18" y="113" width="138" height="10" rx="5" />
      <DrawnPointer x={188} y={62} />
    </DrawnWindow>
  </Drawing>
);

export const PlugInDrawing = () => (
  <Drawing alt="De logger zit met een USB-kabel aan een laptop waarop ReXdesk open staat.">
    <path className={styles.cable} d="M120 116H80V76C80 40 250 34 250 74v14" />
    <DrawnLogger x={204} y={96} />
    <DrawnLaptop x={36} y={52} />
    <g transform="translate(36 52)">
      <path className={styles.bar} d="M0 0h118v14H0z" />
      <text className={styles.small} x="6" y="10">
        ReXdesk
      </text>
      <circle className={styles.good} cx="16" cy="42" r="5" />
      <text className={styles.word} x="28" y="40">
        Logger
      </text>
      <text className={styles.small} x="28" y="53">
        aangesloten
      </text>
    </g>
  </Drawing>
);

export const ReflashDrawing = () => (
  <Drawing alt="In ReXdesk staat het menu Device open met Reflash gekozen; ernaast het zip-bestand met de firmware.">
    <DrawnWindow x={20} y={16} width={280} height={158} title="ReXdesk">
      <text className={styles.word} x="14" y="39">
        File
      </text>
      <rect className={styles.track} x="46" y="26" width="48" height="19" rx="3" />
      <text className={styles.word} x="52" y="39">
        Device
      </text>
      <text className={styles.word} x="106" y="39">
        Config
      </text>
      <path className={styles.line} d="M0 47h280" />
      <DrawnMenu x={46} y={47} width={116} lines={['Info', 'Reflash', 'Set Time']} chosen="Reflash" />
      <DrawnFile x={210} y={62} name="firmware.zip" kind="ZIP" />
      <DrawnPointer x={132} y={84} />
    </DrawnWindow>
  </Drawing>
);

export const StorageDrawing = () => (
  <Drawing alt="Drie knoppen in ReXdesk: Format SD met de vraag Are you sure en het antwoord Yes, daaronder Set Time en Synchronize with PC.">
    <DrawnWindow x={20} y={16} width={280} height={158} title="ReXdesk: Internal Storage">
      <DrawnButton x={14} y={36} width={92} height={26} label="Format SD" look="chosen" />
      <path className={styles.stroke} d="M113 49h14" />
      <g transform="translate(134 30)">
        <rect className={styles.plain} width="132" height="54" rx="6" />
        <text className={styles.word} x="12" y="19">
          Are you sure?
        </text>
        <DrawnButton x={12} y={27} width={50} height={20} label="Yes" look="chosen" />
        <DrawnButton x={70} y={27} width={50} height={20} label="No" />
      </g>
      <DrawnButton x={14} y={96} width={92} height={26} label="Set Time" look="chosen" />
      <path className={styles.stroke} d="M113 109h14" />
      <DrawnButton x={134} y={96} width={132} height={26} label="Synchronize with PC" />
      <circle className={styles.edge} cx="28" cy="140" r="9" />
      <path className={styles.edge} d="M28 134v6l4 3" />
      <text className={styles.small} x="46" y="144">
        De klok van de logger loopt gelijk.
      </text>
      <DrawnPointer x={184} y={72} />
    </DrawnWindow>
  </Drawing>
);

export const RunDrawing = () => (
  <Drawing alt="In ReXdesk is config.xml geopend; onder het menu Run is Run Config Using External File gekozen.">
    <DrawnWindow x={8} y={16} width={304} height={158} title="ReXdesk: project">
      <DrawnFile x={16} y={52} name="config.xml" kind="XML" />
      <DrawnMenu
        x={74}
        y={40}
        width={222}
        lines={['Run', 'Run Config Using External File']}
        chosen="Run Config Using External File"
      />
      <DrawnButton x={140} y={112} width={70} height={24} label="Browse" />
      <DrawnButton x={220} y={112} width={70} height={24} label="Open" look="chosen" />
      <DrawnPointer x={268} y={126} />
    </DrawnWindow>
  </Drawing>
);

export const SuccessDrawing = () => (
  <Drawing alt="Een melding met een groen vinkje: configuration uploaded successfully.">
    <DrawnWindow x={22} y={26} width={276} height={138} title="ReXdesk">
      <DrawnTick x={138} y={56} r={22} />
      <text className={styles.digits} x="138" y="102" textAnchor="middle" style={{ letterSpacing: 0 }}>
        configuration uploaded successfully
      </text>
      <DrawnButton x={108} y={112} width={60} height={18} label="OK" />
    </DrawnWindow>
  </Drawing>
);

/** A laptop, whose screen is 118 by 74 units. */
function DrawnLaptop({ x, y }: Point) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.metal} x="-6" y="-6" width="130" height="86" rx="7" />
      <rect className={styles.paper} width="118" height="74" rx="2" />
      <path className={styles.metal} d="M-20 80h158l6 9a4 4 0 0 1-4 4h-162a4 4 0 0 1-4-4z" />
    </g>
  );
}

/** A white tick in a green circle. */
function DrawnTick({ x, y, r }: Point & { readonly r: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${r / 20})`}>
      <circle className={styles.good} r="20" />
      <path className={styles.onGood} d="M-9 1l6 6L9-6" />
    </g>
  );
}
