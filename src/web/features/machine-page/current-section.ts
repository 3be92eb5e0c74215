/** The position of a section; `top` is in px from the top of the window. */
export type SectionBox = { readonly id: string; readonly top: number };

/**
 * Returns the id of the current section: the last one that begins in the upper quarter of the window or, if that one
 * stands beside others, the first of these. At the end of the page, returns the last section. The section that the
 * URL's fragment names takes precedence while its heading is visible, because a section beside another one or at the
 * end of the page cannot always scroll to the top.
 * @param boxes the sections in the order of the page
 * @param heightPx height of the window
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
