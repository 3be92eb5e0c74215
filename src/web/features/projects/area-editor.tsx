import { Button, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { type Area, areaErrorOf, boxOf } from '#shared/domain/area.ts';
import { AREA_ERROR_TEXTS } from '#shared/domain/area-error-texts.ts';
import { formatCoordinate } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { useInputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';
import styles from './area-editor.module.css';
import { type AreaShape, ProjectMap } from './project-map.tsx';
import { areaText } from './project-text.ts';

const MAX_AREAS = 20;

type AreaEditorProps = {
  readonly of: keyof typeof AREA_TEXTS;
  readonly areas: readonly Area[];
  readonly onChange: (areas: readonly Area[]) => void;
  /** Areas of the organization's other projects or terreinen. */
  readonly others: readonly Area[];
  /** Machines of the organization, shown on the map. */
  readonly machines: readonly LiveEntry[];
  readonly now: number;
};

const AREA_TEXTS = {
  project: {
    hint: 'Teken waar er gewerkt wordt. Een machine die er twee minuten is, staat op het project. Overlappen gebieden van projecten elkaar, dan telt het kleinste gebied.',
    plural: 'projecten',
  },
  terrein: {
    hint: 'Teken waar het terrein ligt. Elke plaats daar heet naar het terrein. Overlappen terreinen elkaar, dan telt het kleinste gebied, en bij gelijke grootte de eerste naam.',
    plural: 'terreinen',
  },
} as const;

/** Edits the areas of a project or terrein, drawn on the map or typed as circles. Use it inside a form. */
export function AreaEditor({ of, areas, onChange, others, machines, now }: AreaEditorProps): ReactNode {
  const [drawing, setDrawing] = useState<AreaShape>();
  const [announcement, setAnnouncement] = useState('');
  const isFull = areas.length >= MAX_AREAS;
  const around = machines.flatMap(({ liveData }) => {
    const centre = positionOf(liveData);
    return centre ? [{ centre, radiusMetres: 500 }] : [];
  });
  const toggle = (kind: AreaShape): void => setDrawing(drawing === kind ? undefined : kind);
  const add = (area: Area): void => {
    onChange([...areas, area]);
    setAnnouncement(`Gebied ${areas.length + 1} toegevoegd: ${areaText(area)}.`);
  };
  const remove = (n: number): void => {
    onChange(areas.filter((_, other) => other !== n));
    setAnnouncement(`Gebied ${n + 1} verwijderd.`);
  };
  return (
    <fieldset className="stack">
      <legend className="mb-2">Gebieden</legend>
      <p className="small quiet">{AREA_TEXTS[of].hint}</p>
      <div className="buttons">
        <DrawButton kind="polygon" drawing={drawing} isFull={isFull} onClick={toggle} />
        <DrawButton kind="circle" drawing={drawing} isFull={isFull} onClick={toggle} />
      </div>
      <p role="status" className={styles.help}>
        {drawing ? HELP[drawing] : announcement}
      </p>
      <ProjectMap
        label="Kaart om gebieden op te tekenen"
        areas={areas}
        others={others}
        around={around}
        machines={machines}
        now={now}
        draw={{ drawing, onChange, onDrawn: () => setDrawing(undefined) }}
      />
      <p className="small quiet">
        Sleep een hoek om hem te verplaatsen, een punt midden op een zijde om er een hoek bij te maken; met de
        rechtermuisknop, of door lang te drukken, haal je een hoek weg.
        {others.length > 0 && ` Gestippeld: gebieden van andere ${AREA_TEXTS[of].plural}.`}
      </p>
      <ListError />
      {areas.length > 0 && (
        <ul className="rows" aria-label="Gebieden">
          {areas.map((area, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an area has no other identity than its index.
            <AreaRow key={n} area={area} n={n} onDelete={() => remove(n)} />
          ))}
        </ul>
      )}
      <CircleFields machines={machines} isFull={isFull} onAdd={add} />
    </fieldset>
  );
}

const HELP: Readonly<Record<AreaShape, string>> = {
  polygon: 'Klik op de kaart voor elke hoek; klik op de eerste hoek om het vlak te sluiten. Escape stopt.',
  circle: 'Klik op het middelpunt, en dan op de rand. Escape stopt.',
};

type DrawButtonProps = {
  readonly kind: AreaShape;
  readonly drawing: AreaShape | undefined;
  readonly isFull: boolean;
  readonly onClick: (kind: AreaShape) => void;
};

const DrawButton = ({ kind, drawing, isFull, onClick }: DrawButtonProps): ReactNode => (
  <Button
    size="md"
    variant={drawing === kind ? 'filled' : 'default'}
    aria-pressed={drawing === kind}
    disabled={isFull}
    onClick={() => onClick(kind)}
  >
    {kind === 'polygon' ? 'Teken een vlak' : 'Teken een cirkel'}
  </Button>
);

/** Shows the server's error about the list of areas as a whole. */
function ListError(): ReactNode {
  const error = useInputError('areas');
  return <div role="alert">{error && <p className="alarming">{error}</p>}</div>;
}

type AreaRowProps = { readonly area: Area; readonly n: number; readonly onDelete: () => void };

function AreaRow({ area, n, onDelete }: AreaRowProps): ReactNode {
  const serverError = useInputError(`areas.${n}`);
  const wrong = areaErrorOf(area);
  const error = wrong ? `Gebied ${n + 1} ${AREA_ERROR_TEXTS[wrong]}.` : serverError;
  const { south, west } = boxOf(area);
  const place = 'centre' in area ? area.centre : { lat: south, lon: west };
  return (
    <li>
      <div>
        <strong>Gebied {n + 1}</strong>: {areaText(area)}
        <span className="small quiet block">
          {formatCoordinate(place.lat)}, {formatCoordinate(place.lon)}
        </span>
        <div role="alert">{error && <p className="alarming">{error}</p>}</div>
      </div>
      <DeleteButton of={`gebied ${n + 1}`} look="icon" onClick={onDelete} />
    </li>
  );
}

type CircleFieldsProps = {
  readonly machines: readonly LiveEntry[];
  readonly isFull: boolean;
  readonly onAdd: (area: Area) => void;
};

/** Adds a circle without a mouse, around typed coordinates or a machine. */
function CircleFields({ machines, isFull, onAdd }: CircleFieldsProps): ReactNode {
  const [serial, setSerial] = useState('');
  const [typed, setTyped] = useState('');
  const [radius, setRadius] = useState('100');
  const [error, setError] = useState<string>();
  const placed = machines.flatMap(({ metadata, liveData }) => {
    const at = positionOf(liveData);
    return at ? [{ ...metadata, at }] : [];
  });
  const add = (): void => {
    const centre =
      serial === '' ? parsePosition(typed) : placed.find((one) => one.serialNumber === serial)?.at;
    const radiusMetres = parseTypedNumber(radius) ?? Number.NaN;
    const area = centre && { centre, radiusMetres };
    const wrong = area && areaErrorOf(area);
    if (!area) setError('Typ een plaats als 52.101, 5.048, of kies een machine.');
    else setError(wrong && `Deze cirkel ${AREA_ERROR_TEXTS[wrong]}.`);
    if (!area || wrong) return;
    setTyped('');
    onAdd(area);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // Enter would submit the form around these fields.
    event.preventDefault();
    add();
  };
  return (
    <details>
      <summary className="fold">Cirkel intypen</summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in a field adds the circle. */}
      <div className={`${styles.fields} cluster gap-3 bottom`} onKeyDown={onKeyDown}>
        <NativeSelect
          label="Middelpunt"
          size="md"
          value={serial}
          onChange={({ currentTarget }) => setSerial(currentTarget.value)}
        >
          <option value="">Zelf typen</option>
          {placed.map(({ serialNumber, alias }) => (
            <option key={serialNumber} value={serialNumber}>
              Plaats van {alias}
            </option>
          ))}
        </NativeSelect>
        {serial === '' && (
          <TextInput
            label="Breedte- en lengtegraad"
            placeholder="52.101, 5.048"
            size="md"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
        <NumberField label="Straal in meter" unit="meter" value={radius} onChange={setRadius} />
        <Button variant="default" size="md" disabled={isFull} onClick={add}>
          Voeg cirkel toe
        </Button>
      </div>
      <div role="alert">{error && <p className="alarming">{error}</p>}</div>
    </details>
  );
}

const DEGREES = { dot: 'decimal', isSigned: true } as const;

/** Parses '52.101, 5.048' or '52,101 5,048'; undefined if the text is no position. */
export function parsePosition(text: string): Position | undefined {
  const parts = /^\s*(-?\d+(?:[.,]\d+)?)\s*[\s,;]\s*(-?\d+(?:[.,]\d+)?)\s*$/.exec(text);
  const [lat, lon] = (parts ?? []).slice(1).map((part) => parseTypedNumber(part, DEGREES));
  if (lat === undefined || lon === undefined) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}
