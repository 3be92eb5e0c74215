/** An element with either children or text: all that a ReXgen configuration has. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
};

export type FieldValue = string | number | boolean;

export const leaf = (name: string, value: FieldValue): XmlElement => ({
  name,
  attributes: {},
  children: [],
  text: String(value),
});

export const list = (name: string, children: readonly XmlElement[]): XmlElement => ({
  name,
  attributes: {},
  children,
  text: '',
});

/** What the vendor calls a block: one thing with a number of its own and its fields, in this order. */
export const block = (
  name: string,
  uid: number,
  fields: Readonly<Record<string, FieldValue>>,
): XmlElement => ({
  name,
  attributes: { UID: String(uid) },
  children: Object.entries(fields).map(([field, value]) => leaf(field, value)),
  text: '',
});

export const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  parent?.children.find((child) => child.name === name);

/** The element itself and everything in it. */
export function* allElements(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* allElements(child);
}
