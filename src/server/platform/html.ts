/** HTML that is safe between tags and in quoted attributes. */
export type Html = { readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template tag: escapes its values, except HTML of another template; joins lists, and leaves out undefined. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (Html | string | number | undefined | readonly Html[])[]
): Html {
  return { html: parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part) };
}

function textOf(value: Html | string | number | undefined | readonly Html[]): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'html' in value ? value.html : value.map((one) => one.html).join('');
  return escapeHtml(String(value));
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
