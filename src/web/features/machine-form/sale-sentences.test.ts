import { expect, test } from 'vitest';
import type { MachineSale } from '#shared/contract/machine-sale.ts';
import { saleSentences } from './sale-sentences.ts';

const SALE: MachineSale = {
  serialNumber: 'M-1',
  alias: 'Kraan',
  seller: 'Klant BV',
  buyer: 'Koper BV',
  at: '2026-11-27T13:00:00.000Z',
  ownedSince: null,
  kept: 12345,
  given: 0,
  reportName: 'Overgedragen machine 7',
  labels: 0,
  favourites: 0,
  subscribers: 0,
  projects: [],
  rules: 0,
  maintenancePlans: 0,
  loggerId: '',
};

test('the sentences about a sale say that the machine has no logger, that nothing ends for the seller, and where the seller finds its readings (55.71)', () => {
  expect(saleSentences(SALE)).toEqual([
    "Klant BV houdt de metingen tot 27-11-26, 14:00: 12.345. Ze staan bij Rapporten (Dagstaten, Draaiuren per machine) onder 'Overgedragen machine 7'.",
    'Koper BV krijgt de metingen vanaf 27-11-26, 14:00; die zijn er nog niet.',
    'De gegevens van de machine, foto, handleiding en datadefinitie gaan mee. Urenstand en draaiuren lopen door.',
    'Er is geen logger gekoppeld.',
    'Bij Klant BV eindigt verder niets.',
    'Meldingen die er al waren, blijven bij Klant BV.',
  ]);
});

test('the sentences about a sale dated before the first reading give all readings to the buyer', () => {
  const [kept, given] = saleSentences({ ...SALE, kept: 0, given: 7 });
  expect(kept).toBe('Klant BV houdt geen metingen: er zijn er geen van voor 27-11-26, 14:00.');
  expect(given).toBe('Koper BV krijgt de metingen vanaf 27-11-26, 14:00: 7 die er al zijn, en wat nog komt.');
});

test('the sentences about a second sale name the start of the seller’s ownership, and what ends for the seller', () => {
  const sale = {
    ...SALE,
    ownedSince: '2026-01-01T11:00:00.000Z',
    labels: 1,
    favourites: 2,
    subscribers: 3,
    projects: ['Spoor A', 'Spoor B'],
    rules: 1,
    maintenancePlans: 2,
    loggerId: '0001234',
  };
  expect(saleSentences(sale)).toEqual([
    "Klant BV houdt de metingen vanaf 01-01-26, 12:00 tot 27-11-26, 14:00: 12.345. Ze staan bij Rapporten (Dagstaten, Draaiuren per machine) onder 'Overgedragen machine 7'.",
    expect.any(String),
    expect.any(String),
    'Logger 0001234 gaat mee. Klant BV kan zijn sleutel kennen: maak binnen 30 dagen een nieuwe configuratie en laad die in de logger.',
    'Bij Klant BV eindigt: 1 label, 2 favorieten, laadmails van 3 mensen, de inzet met de hand op Spoor A en Spoor B, 1 meldingregel die haar noemt en 2 onderhoudsplannen.',
    expect.any(String),
  ]);
});
