import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LABEL_COLOUR_NAMES } from '#shared/domain/labels.ts';

const css = readFileSync('src/web/machines/label-chips.module.css', 'utf8');

/** Returns the relative luminance of '#rrggbb' as defined in WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function coloursOf(selector: string): { ground: string; text: string } {
  const start = css.lastIndexOf(`\n${selector} {`);
  const rule = css.slice(start, css.indexOf('}', start));
  const found = (name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(rule)?.[1] ?? `no ${name}: ${selector}`;
  return { ground: found('chip'), text: found('chip-text') };
}

const DARK = ':root[data-mantine-color-scheme="dark"] ';
test.each(['', DARK].flatMap((scheme) => LABEL_COLOUR_NAMES.map((name) => [scheme, name] as const)))(
  'with the CSS prefix “%s”, a label is readable on its colour: %s (15.2l)',
  (scheme, name) => {
    const { ground, text } = coloursOf(`${scheme}.chip${name === 'grey' ? '' : `[data-colour="${name}"]`}`);
    const [light = 0, dark = 0] = [luminance(ground), luminance(text)].sort((one, other) => other - one);
    expect((light + 0.05) / (dark + 0.05)).toBeGreaterThan(7);
  },
);
