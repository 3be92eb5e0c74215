import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { OpenProposals } from './open-proposals.tsx';

test('55.62 a new machine says how many proposals are open, with the way to its mapping', () => {
  const part = createElement(OpenProposals, { serial: 'G 1', count: 2 });
  const html = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(MemoryRouter, null, part)),
  );
  expect(html).toContain('2 voorstellen nog niet overgenomen.');
  expect(html).toContain('href="/machine/edit/G%201/definitie"');
});
