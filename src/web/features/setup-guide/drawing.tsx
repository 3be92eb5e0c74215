import type { ReactNode } from 'react';
import styles from './drawing.module.css';

type DrawingProps = {
  /** Description for screen readers. */
  readonly alt: string;
  readonly children: ReactNode;
};

/** A picture of 320 by 190 units in the colours of the theme. */
export function Drawing({ alt, children }: DrawingProps) {
  return (
    <svg className={styles.drawing} viewBox="0 0 320 190" role="img" aria-label={alt}>
      {children}
    </svg>
  );
}

export type Point = { readonly x: number; readonly y: number };
type Box = Point & { readonly width: number; readonly height: number };
type BoxProps = Box & { readonly children?: ReactNode };

/** A window of a program, with its title. The coordinates of its content are relative to the window's top left corner. */
export function DrawnWindow({ x, y, width, height, title, children }: BoxProps & { readonly title: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.shadow} x="2" y="3" width={width} height={height} rx="8" />
      <rect className={styles.paper} width={width} height={height} rx="8" />
      <path className={styles.bar} d={`M0 22V8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v14z`} />
      <path className={styles.line} d={`M0 22h${width}`} />
      {[12, 23, 34].map((at) => (
        <circle key={at} className={styles.dot} cx={at} cy="11" r="3" />
      ))}
      <text className={styles.small} x="46" y="15">
        {title}
      </text>
      <rect className={styles.edge} width={width} height={height} rx="8" />
      {children}
    </g>
  );
}

type ButtonProps = Box & { readonly label: string; readonly look?: 'plain' | 'chosen' };

/** A button; the one to press is orange. */
export function DrawnButton({ x, y, width, height, label, look = 'plain' }: ButtonProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect
        className={look === 'chosen' ? styles.chosen : styles.plain}
        width={width}
        height={height}
        rx="5"
      />
      <text
        className={look === 'chosen' ? styles.onChosen : styles.word}
        x={width / 2}
        y={height / 2 + 4}
        textAnchor="middle"
      >
        {label}
      </text>
    </g>
  );
}

type MenuProps = Omit<Box, 'height'> & { readonly lines: readonly string[]; readonly chosen: string };

/** An open menu, with the line to choose. */
export function DrawnMenu({ x, y, width, lines, chosen }: MenuProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.shadow} x="2" y="3" width={width} height={lines.length * 22 + 8} rx="5" />
      <rect className={styles.plain} width={width} height={lines.length * 22 + 8} rx="5" />
      {lines.map((line, at) => (
        <g key={line} transform={`translate(0 ${at * 22 + 4})`}>
          {line === chosen && <rect className={styles.chosen} x="4" width={width - 8} height="22" rx="3" />}
          <text className={line === chosen ? styles.onChosen : styles.word} x="12" y="15">
            {line}
          </text>
        </g>
      ))}
    </g>
  );
}

/** The mouse pointer. */
export function DrawnPointer({ x, y }: Point) {
  return (
    <path
      className={styles.pointer}
      transform={`translate(${x} ${y})`}
      d="M0 0v17l4.2-3.8 2.9 6.6 3.4-1.5-2.9-6.5h5.7z"
    />
  );
}

/** The logger: a flat metal box with its serial number, an orange stripe and two connectors. */
export function DrawnLogger({ x, y, serial }: Point & { readonly serial?: string }) {
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

/** A file with a folded corner and its name. */
export function DrawnFile({ x, y, name, kind }: Point & { readonly name: string; readonly kind: string }) {
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
