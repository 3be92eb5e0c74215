import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { OpenProposals } from './open-proposals.tsx';

const shown = (kind: LoggerKind): string => {
  const part = createElement(OpenProposals, { serial: 'G 1', count: 2, kind });
  return renderToStaticMarkup(createElement(MantineProvider, null, createElement(MemoryRouter, null, part)));
};

test('55.62 a new machine says how many proposals are open, with the way to its mapping', () => {
  const html = shown('rexgen');
  expect(html).toContain('2 voorstellen nog niet overgenomen.');
  expect(html).toContain('href="/machine/edit/G%201/definitie"');
  expect(html).toContain('</strong> Zonder koppeling stuurt de logger die signalen niet.');
  expect(html).toContain('maak daarna een nieuwe config.xml');
});

test('43.11 open proposals ask for no config.xml where the logger is a CANedge', () => {
  const html = shown('canedge');
  expect(html).toContain('2 voorstellen nog niet overgenomen.');
  expect(html).not.toContain('config.xml');
});
