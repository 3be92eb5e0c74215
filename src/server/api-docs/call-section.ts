import { type Html, html } from '#server/platform/html.ts';
import { type CallerKind, type DocumentedCall, type JsonSchema, problemStatuses } from './calls.ts';
import { schemaFieldsOf, schemaTypeText } from './type-text.ts';

/** Returns a collapsed section about one call; its visible line has the method, the path and who may call. */
export function apiCallSection(call: DocumentedCall): Html {
  return html`<details class="call">
<summary>
<h3><span class="method" data-method="${call.method}">${call.method}</span> <code>${breakable(call.path)}</code></h3>
<span class="who">${callersText(call.who)}</span>
<span class="about">${call.dutch}</span>
</summary>
<div class="inside" id="${idOf(call)}">
${warning(call)}
${call.parameters.length > 0 ? part('Parameters', parameterList(call)) : undefined}
${call.body ? part('Te sturen (JSON)', shape(call.body)) : undefined}
${part('Antwoord', answer(call))}
${errors(call)}
</div>
</details>
`;
}

/** Returns the fragment of a call: 'GET /api/img/{serial}' becomes get-img-serial. */
const idOf = ({ method, path }: DocumentedCall): string =>
  `${method}-${path.replace('/api/', '')}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns in Dutch who may make a call. */
export function callersText(who: readonly CallerKind[]): string {
  if (who.includes('anonymous')) return 'Iedereen';
  if (who.includes('kijker') && who.includes('lmb-kijker')) return 'Wie is ingelogd';
  if (who.includes('kijker')) return 'Wie machines ziet';
  if (who.includes('lmb-kijker')) return 'Wie LMB-loggers ziet';
  if (who.includes('beheerder')) return 'Beheerders en administrators';
  return who.includes('technicus') ? 'Technici en administrators' : 'Alleen administrators';
}

const warning = ({ changes, method, proof }: DocumentedCall): Html | undefined => {
  if (proof)
    return html`<p class="note">Vraagt of jij het bent: langer dan tien minuten na het inloggen eerst POST /api/account/proof, anders 403 (proof_required).</p>`;
  return changes && method === 'GET'
    ? html`<p class="note">Let op: deze GET wijzigt iets. Een browser mag hem alleen vanaf het portaal zelf doen; een script stuurt X-Requested-With mee.</p>`
    : undefined;
};

const part = (title: string, content: Html): Html => html`<h4>${title}</h4>
${content}`;

const parameterList = ({ parameters }: DocumentedCall): Html => html`<ul class="fields">
${parameters.map(
  ({ name, in: place, required, schema }) =>
    html`<li>${field(name, required, schema, place === 'path' ? 'in het pad' : 'in de vraag')}</li>
`,
)}</ul>`;

function answer({ media, answer: schema }: DocumentedCall): Html {
  if (!schema) return html`<p>Een bestand: <code>${media.join(', ')}</code></p>`;
  return shape(schema);
}

function errors(call: DocumentedCall): Html | undefined {
  const statuses = problemStatuses(call);
  return statuses.length > 0 ? html`<p class="errors">Fouten: ${statuses.join(' · ')}</p>` : undefined;
}

/** Returns the type of a value and its fields. */
function shape(schema: JsonSchema): Html {
  const fields = schemaFieldsOf(schema);
  if (fields === undefined) return html`<p>${capital(schemaTypeText(schema))}.</p>`;
  const whole =
    schema.properties === undefined
      ? html`<p>${capital(schemaTypeText(schema))}:</p>
`
      : undefined;
  return html`${whole}${fieldList(fields)}`;
}

const fieldList = (fields: NonNullable<ReturnType<typeof schemaFieldsOf>>): Html => html`<ul class="fields">
${fields.map(({ name, required, schema }) => {
  const inner = schemaFieldsOf(schema);
  return html`<li>${field(name, required, schema)}${inner ? fieldList(inner) : undefined}</li>
`;
})}</ul>`;

function field(name: string, required: boolean, schema: JsonSchema, place?: string): Html {
  return html`<div class="field"><code>${breakable(name)}</code> <span>${schemaTypeText(schema)}${
    place ? html`, ${place}` : undefined
  }${required ? undefined : html`, <em>mag ontbreken</em>`}</span></div>`;
}

/** Lets a long name break after a slash, a dot or an underscore. */
const breakable = (text: string): Html[] => text.split(/(?<=[/._])/).map((part) => html`${part}<wbr>`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
