import { readFileSync } from 'node:fs';
import { type Html, html } from '#server/platform/html.ts';
import type { ApiTopics } from '#server/platform/module.ts';
import { apiCallSection } from './call-section.ts';
import { type DocumentedCall, listApiCalls } from './calls.ts';
import type { DocumentedPortal } from './openapi.ts';

const STYLE = ['page.css', 'calls.css']
  .map((file) => readFileSync(new URL(`./${file}`, import.meta.url), 'utf8'))
  .join('');

type Group = { readonly noun: string; readonly calls: readonly DocumentedCall[] };

/** Returns the page at /api/docs: HTML without a script, so that the portal's own CSP applies to it. */
export function docsPage({ url, version, topics }: DocumentedPortal): string {
  const groups = grouped(listApiCalls(), topics);
  const count = groups.reduce((sum, group) => sum + group.calls.length, 0);
  return html`<!doctype html>
<html lang="nl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API · Werkstroom</title>
<link rel="icon" href="/favicon.svg">
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#calls">Naar de calls</a>
<header>
<p class="brand"><a href="/">Werkstroom</a> <span>versie ${version}</span></p>
<h1>API</h1>
<p class="lead">Alles wat het portaal kan, kan een programma ook. Hieronder staan alle ${count} calls, met wie ze mag
doen, wat je stuurt en wat je terugkrijgt. Voor programma’s is er hetzelfde als <a href="/api/openapi.json">OpenAPI
3.1</a>.</p>
</header>
<nav aria-label="Onderwerpen"><ul>
${groups.map(
  ({ noun, calls: { length } }) =>
    html`<li><a href="#${noun}">${topics[noun]?.title ?? noun} <span class="count">${length}</span></a></li>
`,
)}</ul></nav>
<main id="calls">
${start(url)}
${groups.map((group) => groupSection(group, topics[group.noun]))}
</main>
</body>
</html>
`.html;
}

const start = (url: string): Html => html`<section class="start" aria-labelledby="beginnen">
<h2 id="beginnen">Beginnen</h2>
<p>Log in; de cookie die je krijgt gaat met elke volgende aanvraag mee. De organisatie volgt altijd uit de sessie.</p>
<pre tabindex="0"><code>curl -c sessie -H 'content-type: application/json' \\
  -d '{"email": "naam@bedrijf.nl", "password": "…"}' \\
  ${url}/api/auth/login
curl -b sessie ${url}/api/live</code></pre>
<p>Een aanvraag die iets wijzigt, ook een GET, bewijst daarbij dat hij niet van een andere site komt. Vanuit een script
stuur je daarvoor de header <code>X-Requested-With</code> mee, met een waarde naar keuze:</p>
<pre tabindex="0"><code>curl -b sessie -H 'x-requested-with: script' -X POST \\
  ${url}/api/auth/logout</code></pre>
<p>Gaat er iets mis, dan is het antwoord altijd <code>{ code, message }</code>: <code>code</code> voor het programma,
<code>message</code> in het Nederlands voor mensen.</p>
<dl class="statuses">
<div><dt>400</dt><dd>iets in de aanvraag klopt niet</dd></div>
<div><dt>401</dt><dd>niet ingelogd</dd></div>
<div><dt>403</dt><dd>ingelogd, maar dit mag niet; of een wijziging die niet zegt waar hij vandaan komt</dd></div>
<div><dt>404</dt><dd>bestaat niet, of is van een ander</dd></div>
<div><dt>409</dt><dd>botst met wat er al is</dd></div>
<div><dt>413</dt><dd>te groot</dd></div>
<div><dt>429</dt><dd>te vaak geprobeerd</dd></div>
<div><dt>503</dt><dd>het portaal is even niet bereikbaar</dd></div>
</dl>
<p>Tijden zijn in UTC, als ISO 8601, tenzij er unix bij staat.</p>
</section>`;

function groupSection({ noun, calls: own }: Group, { title, about } = { title: noun, about: '' }): Html {
  return html`<section aria-labelledby="${noun}">
<h2 id="${noun}">${title}</h2>
<p class="topic">${about}</p>
${own.map(apiCallSection)}
</section>
`;
}

/** Groups the calls by `noun` (the first part of their path), in the order of the topics; within a group in the contract's order. */
const grouped = (all: readonly DocumentedCall[], topics: ApiTopics): Group[] =>
  Object.keys(topics).flatMap((noun) => {
    const own = all.filter((call) => call.noun === noun);
    return own.length > 0 ? [{ noun, calls: own }] : [];
  });
