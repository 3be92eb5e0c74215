/** A factor or offset as a Dutch person types it. */
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i;

/** '-0,1', '0.0039' or '1e-7' as a number; undefined when it is none that can be computed with. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim().replace('−', '-');
  if (!NUMBER.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

/** '-0,1', which `readNumber` reads back. */
export const numberText = (value: number): string => String(value).replace('.', ',');

/** Why it cannot be multiplied by this, in Dutch. Nothing typed is a factor of 1. */
export function factorFault(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const value = readNumber(text);
  if (value === undefined) return 'Vul een getal in, zoals 0,1.';
  return value === 0 ? 'De factor mag niet 0 zijn.' : undefined;
}

/** Why this cannot be added, in Dutch. Nothing typed is an offset of 0. */
export const offsetFault = (text: string): string | undefined =>
  text.trim() === '' || readNumber(text) !== undefined ? undefined : 'Vul een getal in, zoals -40.';
