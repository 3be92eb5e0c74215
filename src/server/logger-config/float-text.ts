/** Whether a logger can hold the number: its factors and offsets are 32-bit floats. */
export const fitsFloat = (value: number): boolean =>
  Number.isFinite(Math.fround(value)) && (value === 0 || Math.fround(value) !== 0);

/**
 * The shortest decimal that reads back as the same 32-bit float (xs:float). Without an exponent, which no
 * example of the vendor has.
 */
export function floatText(value: number): string {
  const single = Math.fround(value);
  let shortest = single;
  for (let digits = 1; digits <= 9; digits++) {
    shortest = Number(single.toPrecision(digits));
    if (Math.fround(shortest) === single) break;
  }
  const text = String(shortest);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  if (Number(exponent) > 0) return BigInt(shortest).toString();
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return shortest.toFixed(decimals - Number(exponent));
}
