import { describe, expect, test } from 'vitest';
import { API_TOPICS } from '#server/modules.ts';
import { html } from '#server/platform/html.ts';
import { api } from '#shared/contract/api.ts';
import { apiCallSection, callersText } from './call-section.ts';
import { listApiCalls } from './calls.ts';
import { docsPage } from './page.ts';
import { schemaTypeText } from './type-text.ts';

const page = docsPage({
  url: 'https://portaal.example.nl',
  version: '1.2.3',
  cookie: 'werkstroom',
  topics: API_TOPICS,
});

describe('the page of the API', () => {
  test('the page of the API shows every call once, with its own fragment (API-01)', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.match(/<details/g)).toHaveLength(Object.keys(api).length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test('the page of the API describes each call in Dutch, under a Dutch title (API-01)', () => {
    expect(listApiCalls().filter(({ dutch }) => !page.includes(html`${dutch}`.html))).toEqual([]);
    expect(listApiCalls().filter(({ noun }) => API_TOPICS[noun] === undefined)).toEqual([]);
    expect(page).not.toContain('vrije inhoud of');
  });

  test('the page of the API uses no script, style attribute or other host, which the portal’s policy would refuse (API-01)', () => {
    expect(page).not.toMatch(/<script|<[^>]+ (on\w+|style)=|javascript:|@import|url\(/i);
    const loaded = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    expect(loaded.filter((url) => !/^[/#]/.test(url as string))).toEqual([]);
  });

  test('the page of the API marks a GET that changes state (API-01)', () => {
    const create = listApiCalls().find(({ key }) => key === 'GET /api/organization/create');
    expect(create && apiCallSection(create).html).toContain('deze GET wijzigt iets');
  });

  test('the page of the API escapes text (API-01)', () => {
    const spoilt = {
      ...(listApiCalls()[0] as ReturnType<typeof listApiCalls>[number]),
      key: 'x',
      dutch: `<b>"&'`,
    };
    expect(apiCallSection(spoilt).html).toContain('class="about">&lt;b&gt;&quot;&amp;&#39;<');
    expect(html`<i>${'<'}${html`<b>`}${[html`1`, html`2`]}${undefined}</i>`.html).toBe('<i>&lt;<b>12</i>');
  });
});

test.each([
  [['anonymous', 'kijker', 'lmb-kijker', 'administrator'], 'Iedereen'],
  [['kijker', 'lmb-kijker', 'gebruiker', 'administrator'], 'Wie is ingelogd'],
  [['kijker', 'gebruiker', 'beheerder', 'technicus', 'administrator'], 'Wie machines ziet'],
  [['lmb-kijker', 'lmb-gebruiker', 'administrator'], 'Wie LMB-loggers ziet'],
  [['beheerder', 'lmb-beheerder', 'administrator'], 'Beheerders en administrators'],
  [['technicus', 'administrator'], 'Technici en administrators'],
  [['administrator'], 'Alleen administrators'],
] as const)('the page shows the callers %j as %s (API-01, API-02)', (who, text) => {
  expect(callersText(who)).toBe(text);
});

test.each([
  [{ type: 'string', maxLength: 2000 }, 'tekst, hoogstens 2.000 tekens'],
  [{ type: 'integer', minimum: 0, maximum: 3, default: 0 }, 'geheel getal, vanaf 0, tot en met 3, anders 0'],
  [{ type: ['number', 'null'] }, 'getal of leeg'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'tekst of leeg'],
  [{ type: 'array', items: { type: 'object' } }, 'lijst van objecten'],
  [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'lijst van lijst van getallen'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'per sleutel getal'],
  [{ type: 'string', enum: ['mobile', 'wifi'] }, '‘mobile’ of ‘wifi’'],
  [{ type: 'string', const: 'ok' }, '‘ok’'],
  [{ type: 'boolean' }, 'ja of nee'],
  [{}, 'vrije inhoud'],
])('the page shows the schema %j as %s (API-01)', (schema, text) => {
  expect(schemaTypeText(schema)).toBe(text);
});
