import sharp from 'sharp';
import { expect, test } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import { EX26 } from '#shared/demo/models.ts';
import { DRAWING_SIDE, machineDrawing, PAINTS } from './machine-drawing.ts';
import { lettering } from './stroke-letters.ts';

const models = [...new Set(demoMachines.map(({ model }) => model))];
const PLACE = { x: 0, y: 0, height: 6, colour: '#000' };

test('MDET-10 every model of the demo has a drawing of its own, without text that needs a font', () => {
  const drawings = models.map(machineDrawing);
  expect(new Set(drawings).size).toBe(models.length);
  for (const drawing of drawings) {
    expect(drawing).not.toMatch(/<text|font|NaN|undefined/);
    expect(drawing).toContain(lettering('simulatie', { x: 320, y: 553, height: 30, colour: '#2b2724' }));
  }
});

test.each(models.map((model) => [`${model.brand} ${model.model}`, model] as const))(
  'MDET-10 the machine of the %s stands in the circle that the portal shows, in its own colours',
  async (_, model) => {
    const { data, info } = await sharp(Buffer.from(machineDrawing(model)))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([DRAWING_SIDE, DRAWING_SIDE]);
    const own = PAINTS[model.brand]!;
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

test('MDET-10 a make without a colour, or a name with a letter that was never drawn, is told', () => {
  expect(() => machineDrawing({ ...EX26, brand: 'Nieuw' })).toThrow('no colour for the make Nieuw');
  expect(() => lettering('Q', PLACE)).toThrow('no letter Q');
});

test('MDET-10 a word stands in the middle of its place', () => {
  // Two letters, 9.7 grid units wide.
  expect(lettering('LL', { ...PLACE, x: 100 })).toContain('translate(95.15 0)');
});
