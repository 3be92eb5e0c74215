import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { FirstStep } from '#shared/domain/first-steps.ts';
import type { FirstSteps } from './first-steps.ts';
import { FirstStepsGuide } from './first-steps-guide.tsx';

const PATHS: FirstSteps['paths'] = {
  organization: '/organization/nieuw',
  machine: '/machine/nieuw',
  definition: '/machine/edit/A/definitie',
  logger: '/machine/edit/A',
  upload: '/machine/handleiding',
};
const NO_ERROR = { error: null, isFetching: false, refetch: async () => undefined };

function drawn(done: readonly FirstStep[], changes: Partial<FirstSteps> = {}): string {
  const steps: FirstSteps = {
    done: new Set(done),
    paths: PATHS,
    openProposals: 0,
    query: NO_ERROR,
    ...changes,
  };
  const guide = createElement(MemoryRouter, null, createElement(FirstStepsGuide, { steps }));
  return renderToStaticMarkup(createElement(MantineProvider, null, guide));
}
const itemsOf = (html: string): string[] => html.match(/<li.*?<\/li>/gs) ?? [];

test('the guide lists every step in order with its link, and says in text which steps are done (54.5a)', () => {
  const html = drawn(['organization', 'logger']);
  expect(html).toContain('<ol');
  expect(html).toContain('2 van 5 klaar');
  const items = itemsOf(html);
  expect(items.map((item) => /href="([^"]+)"/.exec(item)?.[1])).toEqual(Object.values(PATHS));
  expect(items.map((item) => item.includes('nog niet klaar'))).toEqual([false, true, true, false, true]);
  expect(items.map((item) => item.includes('aria-current="step"'))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test('for a user who may not create organizations, the guide says who creates one, without a link, until an organization exists (54.5a)', () => {
  const paths = { ...PATHS, organization: undefined };
  const [open] = itemsOf(drawn([], { paths }));
  expect(open).toContain('Een administrator maakt de organisatie van de klant.');
  expect(open).not.toContain('href');
  const [done] = itemsOf(drawn(['organization'], { paths }));
  expect(done).toContain('De klant van wie de machines zijn.');
});

test('the guide shows that the steps are not up to date when a query failed (54.5a)', () => {
  const query = { ...NO_ERROR, error: new Error('away') };
  expect(drawn([], { query })).toContain('De stappen zijn niet bijgewerkt.');
  expect(drawn([])).not.toContain('niet bijgewerkt');
});

test('the step of the data definition shows the number of open proposals, also when the step is done (55.62)', () => {
  const items = itemsOf(drawn(['definition'], { openProposals: 2 }));
  expect(items.map((item) => item.includes('2 voorstellen nog niet overgenomen'))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
});
