/** Drawings of the steps on this website. */

import styles from './drawing.module.css';
import { Drawing, DrawnButton, DrawnFile, DrawnLogger, DrawnPointer, DrawnWindow } from './drawing.tsx';

export const SerialDrawing = () => (
  <Drawing alt="Het serienummer 0012345 op de logger wordt overgenomen in het veld Influx serienummer van de website.">
    <DrawnLogger x={16} y={66} serial="0012345" />
    <DrawnArrow x={122} y={110} width={24} />
    <DrawnWindow x={156} y={32} width={150} height={126} title="Werkstroom">
      <text className={styles.digits} x="14" y="44" style={{ letterSpacing: 0 }}>
        Nieuwe machine
      </text>
      <DrawnField x={14} y={56} width={122} label="Influx serienummer" value="0012345" isActive />
      <rect className={styles.track} x="14" y="102" width="84" height="8" rx="4" />
    </DrawnWindow>
  </Drawing>
);

export const FormDrawing = () => (
  <Drawing alt="Het formulier van een machine met merk, model en naam, en daarnaast de lijst met hulpstukken.">
    <DrawnWindow x={16} y={12} width={288} height={166} title="Werkstroom">
      <DrawnField x={14} y={34} width={122} label="Merk" value="Volta" />
      <DrawnField x={14} y={76} width={122} label="Model" value="EX-1" />
      <DrawnField x={14} y={118} width={122} label="Vergelijkbare Machine" value="Volta EX-1" />
      <g transform="translate(152 34)">
        <text className={styles.small} y="8">
          Hulpstuk Lijst
        </text>
        <rect className={styles.plain} y="13" width="122" height="68" rx="5" />
        {[
          ['Bak 600 mm', '12'],
          ['Vorken', '7'],
          ['Sloophamer', '24'],
        ].map(([name, number], at) => (
          <g key={name} transform={`translate(0 ${at * 22 + 13})`}>
            <text className={styles.word} x="8" y="15">
              {name}
            </text>
            <text className={styles.small} x="114" y="15" textAnchor="end">
              {number}
            </text>
            {at > 0 && <path className={styles.line} d="M0 0h122" />}
          </g>
        ))}
        <DrawnButton x={0} y={92} width={122} height={24} label="Voeg Hulpstuk Toe" look="chosen" />
      </g>
      <DrawnPointer x={256} y={146} />
    </DrawnWindow>
  </Drawing>
);

export const CreateDrawing = () => (
  <Drawing alt="Op de knop Maak Machine wordt gedrukt; het bestand config.xml wordt gedownload.">
    <DrawnWindow x={18} y={32} width={156} height={126} title="Werkstroom">
      <text className={styles.small} x="14" y="46">
        Laden... dit kan even duren
      </text>
      <rect className={styles.track} x="14" y="56" width="128" height="8" rx="4" />
      <rect className={styles.brand} x="14" y="56" width="92" height="8" rx="4" />
      <DrawnButton x={14} y={80} width={128} height={28} label="Maak Machine" look="chosen" />
      <DrawnPointer x={124} y={100} />
    </DrawnWindow>
    <DrawnArrow x={186} y={92} width={34} />
    <DrawnFile x={244} y={56} name="config.xml" kind="XML" />
  </Drawing>
);

type FieldProps = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly label: string;
  readonly value?: string;
  readonly isActive?: boolean;
};

/** An input with its label above it; an active one has a cursor behind its value. */
function DrawnField({ x, y, width, label, value = '', isActive = false }: FieldProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <text className={styles.small} y="8">
        {label}
      </text>
      <rect className={isActive ? styles.active : styles.plain} y="13" width={width} height="22" rx="5" />
      <text className={styles.word} x="8" y="28">
        {value}
        {isActive && <tspan className={styles.cursor}>|</tspan>}
      </text>
    </g>
  );
}

/** An arrow to the right. */
function DrawnArrow({ x, y, width }: { readonly x: number; readonly y: number; readonly width: number }) {
  return <path className={styles.stroke} d={`M${x} ${y}h${width}m-9-9l9 9l-9 9`} />;
}
