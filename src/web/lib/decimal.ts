/** Numbers as they are typed in a form, with a comma or a dot. */

/** '1250,5' or '1250.5' as a number of 0 or more; undefined when it is none. `exactNumber` writes it so. */
export function readDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  return /^\d{1,15}([.,]\d{1,15})?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined;
}
