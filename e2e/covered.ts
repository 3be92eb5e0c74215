import type { Page } from '@playwright/test';

/**
 * Scrolls each control and text of a page to the middle of the window, as far as the page allows. Returns a description of each control
 * whose middle something else covers, and of each text under a fixed or sticky panel.
 */
export const coveredElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const WORDS = 40;
    /** Smallest visible width and height in px; smaller elements are for screen readers. */
    const SEEN = 4;
    const CONTROLS =
      'a[href], button, input, select, textarea, summary, [role="switch"], [role="slider"], [role="tab"]';
    /** Elements that are not checked. Markers on a map may cover each other, because people can move the map. */
    const MOVED = '.leaflet-pane, .sr-only, option, svg, [inert]';

    const isShown = (element: Element): boolean =>
      element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      }) && !element.closest(MOVED);
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()} '${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, WORDS)}'`;
    const panelOf = (element: Element | null): Element | undefined => {
      for (let one = element; one && one !== document.body; one = one.parentElement)
        if (['fixed', 'sticky'].includes(getComputedStyle(one).position)) return one;
      return undefined;
    };
    /** Returns the part of a box that is visible within those ancestors that hide or scroll their overflow. */
    const visiblePart = (element: Element, box: DOMRect): DOMRect => {
      let { left, top, right, bottom } = box;
      for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
        if (getComputedStyle(one).overflow === 'visible') continue;
        const clip = one.getBoundingClientRect();
        [left, top] = [Math.max(left, clip.left), Math.max(top, clip.top)];
        [right, bottom] = [Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    /** Returns the element at the middle of a box that is scrolled to; undefined where the box has no middle on the screen. */
    const atMiddle = (element: Element, boxOf: () => DOMRect): Element | null | undefined => {
      // Scrolling an element over a map would move the map's frame.
      const moved = element.closest('.leaflet-container') ?? element;
      moved.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { left, top, width, height } = visiblePart(element, boxOf());
      if (width < SEEN || height < SEEN) return undefined;
      return document.elementFromPoint(left + width / 2, top + height / 2);
    };

    const found: string[] = [];
    const { scrollX, scrollY } = window;
    for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
      if (!isShown(control) || getComputedStyle(control).pointerEvents === 'none') continue;
      // Tests the box of the first line, because the middle of the whole box of a link that wraps over two lines may be empty.
      const hit = atMiddle(control, () => control.getClientRects()[0] ?? control.getBoundingClientRect());
      // Ignores the skip link, which is fixed outside the window until it has the focus.
      if (hit === undefined || (hit === null && getComputedStyle(control).position === 'fixed')) continue;
      const isOwn = hit !== null && (control.contains(hit) || hit.closest('label')?.control === control);
      if (!isOwn)
        found.push(`covered: ${nameOf(control)} by ${hit ? nameOf(hit) : 'the edge of the window'}`);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.textContent?.trim() === '' || !element || !isShown(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const hit = atMiddle(element, () => range.getClientRects()[0] ?? new DOMRect());
      const panel = panelOf(hit ?? null);
      if (panel && !panel.contains(element))
        found.push(`covered: '${node.textContent?.trim().slice(0, WORDS)}' by ${nameOf(panel)}`);
    }
    window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
    return [...new Set(found)];
  });
