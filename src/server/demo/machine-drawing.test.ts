import sharp from 'sharp';
import { expect, test } from 'vitest';
import { textToSvgPath, textWidthPx } from '#server/tiles/text-path.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { EX26 } from '#shared/demo/models.ts';
import { BRAND_COLOURS, DRAWING_SIDE, machineDrawing } from './machine-drawing.ts';

const models = [...new Set(demoMachines.map(({ model }) => model))];

test('every model of the demo has a drawing of its own, without text elements (MDET-10)', () => {
  const drawings = models.map(machineDrawing);
  expect(new Set(drawings).size).toBe(models.length);
  const style = { capPx: 30, spacing: 0.2 };
  const left = (DRAWING_SIDE - textWidthPx('SIMULATIE', style)) / 2;
  const centred = `<path d="${textToSvgPath('SIMULATIE', left, 583, style)}" fill="#2b2724"/>`;
  for (const drawing of drawings) {
    expect(drawing).not.toMatch(/<text|font|NaN|undefined/);
    expect(drawing).toContain(centred);
  }
});

test.each(models.map((model) => [`${model.brand} ${model.model}`, model] as const))(
  'the drawing of the %s fits in the portal’s circle, in the colours of its make (MDET-10)',
  async (_, model) => {
    const { data, info } = await sharp(Buffer.from(machineDrawing(model)))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([DRAWING_SIDE, DRAWING_SIDE]);
    const own = BRAND_COLOURS[model.brand]!;
    const inside = new Map<string, number>();
    for (let y = 0; y < DRAWING_SIDE; y += 2) {
      for (let x = 0; x < DRAWING_SIDE; x += 2) {
        const at = 3 * (y * DRAWING_SIDE + x);
        const colour = `#${data.subarray(at, at + 3).toString('hex')}`;
        const isMachine = [own.body, own.dark, '#26221f', '#3a3531'].includes(colour);
        if (Math.hypot(x - 320, y - 320) <= 320) inside.set(colour, (inside.get(colour) ?? 0) + 1);
        else if (isMachine) expect.fail(`${x}, ${y} lies outside the circle`);
      }
    }
    for (const colour of [own.body, own.dark]) expect(inside.get(colour)).toBeGreaterThan(200);
  },
);

test('a drawing throws for a make without a colour, and for a letter that the font lacks (MDET-10)', () => {
  expect(() => machineDrawing({ ...EX26, brand: 'Nieuw' })).toThrow('no colour for the make Nieuw');
  expect(() => machineDrawing({ ...EX26, model: 'Ж26' })).toThrow('no letter Ж');
});
