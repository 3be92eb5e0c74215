import type { Accessory } from '#shared/contract/machine-fields.ts';
import type { DemoMachine } from '#shared/demo/fleet.ts';
import { type PdfLine, simplePdf } from './simple-pdf.ts';

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

/** The manual of a demo machine, one page of PDF: what it is, safety, charging. It says that it is an example. */
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
