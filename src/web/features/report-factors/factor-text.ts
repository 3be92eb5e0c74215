import type { ReportFactor, ReportFactorKind } from '#shared/contract/report-factors.ts';
import { dutchDate, formatExactNumber } from '#shared/domain/nl.ts';

/** Texts of each kind of factor; `without` explains what stays empty without a factor. */
export const KIND_TEXTS: Readonly<
  Record<ReportFactorKind, { readonly title: string; readonly add: string; readonly without: string }>
> = {
  co2: {
    title: 'CO2 per kWh',
    add: 'Voeg een factor voor CO2 toe',
    without: 'Zonder factor blijft de kolom CO2 in rapporten leeg.',
  },
  diesel: {
    title: 'Diesel per uur',
    add: 'Voeg een klasse voor diesel toe',
    without: 'Zonder klasse voor het vermogen van een machine blijft de kolom vermeden diesel leeg.',
  },
};

/** Returns '0,268 kg CO2 per kWh' or '9,5 liter diesel per uur'. */
export const amountText = ({ factorKind, factorValue }: ReportFactor): string =>
  `${formatExactNumber(factorValue)} ${factorKind === 'co2' ? 'kg CO2 per kWh' : 'liter diesel per uur'}`;

/** Returns '56 tot 130 kW' or '130 kW en meer'. */
export const powerClassText = ({ fromKw, belowKw }: Pick<ReportFactor, 'fromKw' | 'belowKw'>): string =>
  belowKw === null
    ? `${formatExactNumber(fromKw ?? 0)} kW en meer`
    : `${formatExactNumber(fromKw ?? 0)} tot ${formatExactNumber(belowKw)} kW`;

export const factorSinceText = ({ firstDay }: ReportFactor): string => `Vanaf ${dutchDate(firstDay)}`;

/** The kinds of factor in the order in which the page lists them. */
export const FACTOR_KINDS = Object.keys(KIND_TEXTS) as ReportFactorKind[];
