/** physical = (raw x multiply + add) / divide. */
export type Scale = { readonly multiply: number; readonly add: number; readonly divide: number };

const MOST_DECIMALS = 15;

/**
 * raw x factor + offset, rounded once. 127 x 0.1 is 12.700000000000001 in doubles; with the decimals taken
 * out first, 127 x 1 / 10, it is the double nearest to 12.7. Where whole numbers do not fit, and for floats,
 * the plain product has to do.
 * @param largestRaw the greatest absolute raw value; Infinity for a float
 */
export function decimalScale(factor: number, offset: number, largestRaw: number): Scale {
  const plain = { multiply: factor, add: offset, divide: 1 };
  const decimals = Math.max(decimalsOf(factor), decimalsOf(offset));
  if (decimals > MOST_DECIMALS) return plain;
  const divide = 10 ** decimals;
  const multiply = Math.round(factor * divide);
  const add = Math.round(offset * divide);
  const exact = multiply / divide === factor && add / divide === offset;
  return exact && largestRaw * Math.abs(multiply) + Math.abs(add) <= Number.MAX_SAFE_INTEGER
    ? { multiply, add, divide }
    : plain;
}

/** Digits behind the point in the shortest spelling: 0.25 has 2, 1e-7 has 7, 3e5 has none. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1] ?? '';
  return Math.max(0, fraction.length - Number(exponent));
}
