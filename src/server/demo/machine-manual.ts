import type { Accessory } from '#shared/contract/machine-fields.ts';
import type { DemoMachine } from '#shared/demo/fleet.ts';

/** A line of text. `size` and `gap`, the distance to the line before it, are in points. */
type PdfLine = {
  readonly text: string;
  readonly size: number;
  readonly bold?: boolean;
  readonly gap: number;
};

const title = (text: string): PdfLine => ({ text, size: 22, bold: true, gap: 0 });
const heading = (text: string): PdfLine => ({ text, size: 14, bold: true, gap: 34 });
const line = (text: string): PdfLine => ({ text, size: 11, gap: 18 });

const batteriesOf = (capacities: readonly number[]): string => {
  const [first = 0] = capacities;
  const sum = capacities.reduce((total, kwh) => total + kwh, 0);
  return capacities.length === 1
    ? `1 van ${first} kWh`
    : `${capacities.length} van ${first} kWh, samen ${sum} kWh`;
};

const toolLines = (tools: readonly Accessory[]): PdfLine[] =>
  tools.length === 0
    ? [line('Hulpstukken: geen.')]
    : tools.map(({ naam, nummer }) => line(`Hulpstuk ${nummer}: ${naam}.`));

/** Returns the manual of a demo machine: one page of PDF, marked as an example. */
export function machineManual({ serialNumber, alias, model }: DemoMachine): Buffer {
  const name = `${model.brand} ${model.model}`;
  return simplePdf(`Handleiding ${name}`, [
    title(`Handleiding ${name}`),
    line('Voorbeeld bij een gesimuleerde machine; geen handleiding van een bestaand merk.'),
    heading('De machine'),
    line(`Naam: ${alias}. Serienummer: ${serialNumber}.`),
    line(`Batterijen: ${batteriesOf(model.capacitiesKwh)}; spanning ${model.nominalVolts} V.`),
    ...toolLines(model.accessories),
    heading('Veiligheid'),
    line('1. Loop voor het werk om de machine heen: banden of rupsen, lekkage, kabels en spiegels.'),
    line('2. Houd omstanders buiten het werkgebied; werk met gordel om en deur dicht.'),
    line('3. Oranje kabels staan onder hoogspanning. Alleen een bevoegde monteur komt eraan.'),
    line('4. Bij rook of schade: noodstop indrukken, machine verlaten, afstand houden en 112 bellen.'),
    heading('Laden'),
    line('1. Zet de machine op een vlakke plek, uitrusting op de grond, en schakel de motor uit.'),
    line('2. Controleer stekker en kabel en sluit de lader aan. Op het scherm verschijnt "Laden".'),
    line('3. Laad dagelijks tot 80 %; laad eens per week tot 100 % om de cellen gelijk te trekken.'),
    line('4. Laad niet onder -10 °C zonder de batterijen eerst te verwarmen.'),
    line('5. Stop het laden op de lader voordat je de stekker losneemt.'),
  ]);
}

const LEFT = 64;
const TOP = 778;

/**
 * Returns a minimal PDF 1.4 (ISO 32000): one A4 page of text in Helvetica, which every reader has. Lines are not wrapped;
 * characters outside Latin-1 become `?`.
 */
export function simplePdf(title: string, lines: readonly PdfLine[]): Buffer {
  let y = TOP;
  const shown = lines.map(({ text, size, bold, gap }) => {
    y -= gap;
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${LEFT} ${y} Td ${literal(text)} Tj ET`;
  });
  const content = shown.join('\n');
  const font = (name: string): string =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (nl-NL) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${literal(title)} /Producer (Werkstroom) >>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const offset = file.length;
    file += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  // In Latin-1 one character is one byte, so lengths of strings are the byte offsets that a PDF needs.
  return Buffer.from(`${file}${xref}${trailer}\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
}

const literal = (text: string): string =>
  `(${text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').replace(/[\\()]/g, '\\$&')})`;
