/** px from the top of the window. */
export type SectionBox = { readonly id: string; readonly top: number };

/**
 * Returns the id of the section that the reader looks at: the last that begins above a quarter of the window; of sections beside each
 * other the first; at the end of the page the last. The section that the address names wins while its heading is in sight, since a
 * section beside another one or at the end of the page cannot come to the top alone.
 * @param boxes in the order of the page @param heightPx of the window
 */
export function currentSection(
  boxes: readonly SectionBox[],
  {
    heightPx,
    isAtEnd,
    named,
  }: { readonly heightPx: number; readonly isAtEnd: boolean; readonly named: string },
): string | undefined {
  const target = boxes.find(({ id }) => id === named);
  if (target && target.top >= 0 && target.top < (isAtEnd ? heightPx : heightPx / 2)) return target.id;
  const begun = boxes.filter(({ top }) => top < (isAtEnd ? heightPx : heightPx / 4));
  const last = begun.at(-1) ?? boxes[0];
  return boxes.find(({ top }) => top === last?.top)?.id;
}
