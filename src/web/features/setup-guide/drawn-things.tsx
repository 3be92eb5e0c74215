import styles from './drawing.module.css';

type Place = { readonly x: number; readonly y: number };

/** The logger: a flat metal box with its serial number, an orange stripe and two connectors. */
export function DrawnLogger({ x, y, serial }: Place & { readonly serial?: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.metalLight} x="14" y="-9" width="22" height="12" rx="2" />
      <rect className={styles.metalLight} x="60" y="-9" width="22" height="12" rx="2" />
      <rect className={styles.metal} width="98" height="62" rx="8" />
      <path className={styles.brand} d="M0 15h98v5H0z" />
      <text className={styles.onMetal} x="49" y="39" textAnchor="middle">
        ReXgen
      </text>
      {serial && (
        <>
          <rect className={styles.paper} x="16" y="44" width="66" height="13" rx="2" />
          <text className={styles.small} x="49" y="54" textAnchor="middle">
            {serial}
          </text>
        </>
      )}
      {!serial && <circle className={styles.good} cx="49" cy="51" r="3.5" />}
    </g>
  );
}

/** A laptop; its screen is 118 by 74, from its own corner. */
export function DrawnLaptop({ x, y }: Place) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.metal} x="-6" y="-6" width="130" height="86" rx="7" />
      <rect className={styles.paper} width="118" height="74" rx="2" />
      <path className={styles.metal} d="M-20 80h158l6 9a4 4 0 0 1-4 4h-162a4 4 0 0 1-4-4z" />
    </g>
  );
}

/** A file with a folded corner and its name. */
export function DrawnFile({ x, y, name, kind }: Place & { readonly name: string; readonly kind: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path className={styles.plain} d="M0 4a4 4 0 0 1 4-4h26l14 14v38a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4z" />
      <path className={styles.edge} d="M30 0v14h14" />
      <rect className={styles.chosen} x="5" y="27" width="34" height="16" rx="3" />
      <text className={styles.onChosen} x="22" y="39" textAnchor="middle">
        {kind}
      </text>
      <text className={styles.word} x="22" y="71" textAnchor="middle">
        {name}
      </text>
    </g>
  );
}

/** From here to there, to the right. */
export function DrawnArrow({ x, y, width }: Place & { readonly width: number }) {
  return <path className={styles.stroke} d={`M${x} ${y}h${width}m-9-9l9 9l-9 9`} />;
}

/** A white tick in a green circle. */
export function DrawnTick({ x, y, r }: Place & { readonly r: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${r / 20})`}>
      <circle className={styles.good} r="20" />
      <path className={styles.onGood} d="M-9 1l6 6L9-6" />
    </g>
  );
}
