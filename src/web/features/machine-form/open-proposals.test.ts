import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { OpenProposals } from './open-proposals.tsx';

const htmlOf = (kind: LoggerKind): string => {
  const part = createElement(OpenProposals, { serial: 'G 1', count: 2, kind });
  return renderToStaticMarkup(createElement(MantineProvider, null, createElement(MemoryRouter, null, part)));
};

test('the result of a creation shows how many proposals are open, with a link to the mapping (55.62)', () => {
  const html = htmlOf('rexgen');
  expect(html).toContain('2 voorstellen nog niet overgenomen.');
  expect(html).toContain('href="/machine/edit/G%201/definitie"');
  expect(html).toContain('</strong> Zonder koppeling stuurt de logger die signalen niet.');
  expect(html).toContain('maak daarna een nieuwe config.xml');
});

test('the result of a creation with a CANedge does not mention config.xml (43.11)', () => {
  const html = htmlOf('canedge');
  expect(html).toContain('2 voorstellen nog niet overgenomen.');
  expect(html).not.toContain('config.xml');
});
