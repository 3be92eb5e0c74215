import type { Page } from '@playwright/test';
import { coveredElements } from './covered.ts';

/**
 * Returns descriptions of what is not readable on a page: texts that overlap another text, are cut off or lie under a panel, boxes that
 * scroll the rows of a table, and controls that another element covers.
 */
export const unreadableElements = async (page: Page): Promise<string[]> => [
  ...(await misprinted(page)),
  ...(await coveredElements(page)),
];

const misprinted = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Text = { readonly words: string; readonly element: Element; readonly box: DOMRect };
    const WORDS = 40;
    /** A field must show its whole value if the value has at most this many characters. */
    const SHORT = 8;
    /** Overlaps up to this many px come from rounding and line heights. */
    const TOUCHES = 4;

    const isShown = (element: Element): boolean =>
      element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      }) && !element.closest('.sr-only, [aria-hidden="true"], .maplibregl-ctrl-attrib, option, svg');
    /** Returns the visible part of a box, and the ancestor that cuts the box off without an ellipsis, if there is one. */
    function seen(
      element: Element,
      box: DOMRect,
    ): { readonly box: DOMRect; readonly cutBy: Element | undefined } {
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
      let cutBy: Element | undefined;
      let [hasDots, isClamped, isScrolled] = [false, false, false];
      for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
        const style = getComputedStyle(one);
        if (style.position === 'fixed') {
          // Cuts the box at the top of the screen: the fixed link 'Naar de inhoud' is above the screen until it gets the focus.
          top = Math.max(top, 0);
          break;
        }
        hasDots ||= style.textOverflow === 'ellipsis';
        isClamped ||= style.webkitLineClamp !== 'none';
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
        const clip = one.getBoundingClientRect();
        const isHidden = style.overflowX !== 'auto' && style.overflowX !== 'scroll';
        const isWide = box.right > clip.right + 2 && !hasDots;
        const isHigh = box.bottom > clip.bottom + 2 || box.top < clip.top - 2;
        // A text that a scrolling box clips is not cut off, because people can scroll to it.
        isScrolled ||= style.overflowY === 'auto' || style.overflowY === 'scroll';
        if ((isWide || isHigh) && isHidden && !isClamped && !isScrolled) cutBy ??= one;
        left = Math.max(left, clip.left);
        top = Math.max(top, clip.top);
        right = Math.min(right, clip.right);
        bottom = Math.min(bottom, clip.bottom);
      }
      return { box: new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top)), cutBy };
    }

    const found: string[] = [];
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (words === '' || !element || !isShown(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const { box, cutBy } = seen(element, line);
        // Includes a line without a visible part, as below the edge of a card, if the box that cuts it is higher than one line.
        if (cutBy && box.width > 0 && (box.height > 0 || cutBy.clientHeight > line.height))
          found.push(
            `cut: '${words.slice(0, WORDS)}' by ${cutBy.tagName.toLowerCase()}.${String(cutBy.className).slice(0, WORDS)}`,
          );
        if (box.width > TOUCHES && box.height > TOUCHES)
          texts.push({ words: words.slice(0, WORDS), element, box });
      }
    }
    texts.sort((a, b) => a.box.top - b.box.top);
    // Pins may lie under the panels on a map, because people can move the map.
    const layerOf = (element: Element): Element | null =>
      element.closest('dialog, header, [popover], .leaflet-pane, [data-floating]');
    for (const [n, a] of texts.entries())
      for (const b of texts.slice(n + 1)) {
        if (b.box.top >= a.box.bottom - TOUCHES) break;
        // Skips two lines of the same text, whose boxes overlap if the line height is small, and texts on different layers.
        if (a.element === b.element || layerOf(a.element) !== layerOf(b.element)) continue;
        const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (width > TOUCHES && height > TOUCHES) found.push(`over each other: '${a.words}' and '${b.words}'`);
      }
    for (const field of document.querySelectorAll('input'))
      if (field.value.length <= SHORT && field.scrollWidth > field.clientWidth + 1)
        found.push(`cut: '${field.value}' in its field`);
    for (const box of document.querySelectorAll('main *, dialog *')) {
      const { overflowY } = getComputedStyle(box);
      if (
        (overflowY === 'auto' || overflowY === 'scroll') &&
        box.scrollHeight > box.clientHeight + 2 &&
        box.querySelector('tr')
      )
        found.push(
          `rows in a scroll box: ${box.tagName.toLowerCase()}.${String(box.className).slice(0, WORDS)}`,
        );
    }
    return [...new Set(found)];
  });
