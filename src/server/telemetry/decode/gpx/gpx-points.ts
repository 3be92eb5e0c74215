import { TextDecoder } from 'node:util';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';

/** The texts of a point of a track or route; absent ones are undefined. */
export type GpxPoint = {
  readonly lat: string | undefined;
  readonly lon: string | undefined;
  readonly time?: string;
  readonly ele?: string;
  /** Speed in m/s: from a child of the point (GPX 1.0) or from its extensions, in any namespace. */
  readonly speed?: string;
  /** Position after the opening tag, in characters (UTF-16) from the beginning, and its 0-based line. */
  readonly at: number;
  readonly line: number;
  /** Whether the point begins a segment or a route other than the file's first one. */
  readonly beginsSegment: boolean;
};

type OpenPoint = { -readonly [Key in keyof GpxPoint]: GpxPoint[Key] } & { readonly depth: number };
type Field = 'time' | 'ele' | 'speed';

/** Maximum length of a text between two tags or within one, so that a file without tags does not fill the memory. */
const MAX_GPX_TEXT_CHARACTERS = 1024 ** 2;
const MAX_FIELD_CHARACTERS = 100;
const DEEPEST = 100;

/**
 * Finds the points of tracks (trkpt) and routes (rtept) in a GPX 1.0 or 1.1 (topografix.com/gpx.asp), part by part. Waypoints have
 * no time and are skipped. Holds one point and the open tags in memory. The parser resolves only XML's own five entities and
 * fetches nothing; a DOCTYPE is rejected.
 */
export class GpxPoints {
  readonly #onPoint: (point: GpxPoint) => void;
  readonly #parser = new SaxesParser({ xmlns: false });
  #decoder: TextDecoder | undefined;
  #charactersRead = 0;
  #sinceTag = 0;
  #depth = 0;
  /** Number of planned elements so far: points of routes, and waypoints. */
  readonly planned = { route: 0, waypoints: 0 };
  #segments = 0;
  #isNewSegment = false;
  #point: OpenPoint | undefined;
  #field: { readonly name: Field; readonly depth: number; text: string } | undefined;

  constructor(onPoint: (point: GpxPoint) => void) {
    this.#onPoint = onPoint;
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      throw new LogError('corrupt', { kind: 'gpx-no-xml', line: parser.line, message });
    });
    parser.on('doctype', () => {
      throw new LogError('header', { kind: 'gpx-doctype', line: parser.line });
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    const addText = (text: string): void => {
      const field = this.#field;
      if (field !== undefined && field.text.length < MAX_FIELD_CHARACTERS)
        field.text += text.slice(0, MAX_FIELD_CHARACTERS);
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
  }

  /** The place up to which every point was passed on, in characters and lines from the beginning. */
  get place(): { readonly at: number; readonly line: number } {
    return this.#point ?? { at: this.#charactersRead, line: this.#parser.line - 1 };
  }

  /** Reads the next bytes. @throws LogError 'corrupt' or 'header', after passing on the points before the error */
  push(piece: Uint8Array): void {
    this.#decoder ??= new TextDecoder(encodingOf(piece));
    this.#sinceTag += piece.length;
    this.#write(this.#decoder.decode(piece, { stream: true }));
    if (this.#sinceTag > MAX_GPX_TEXT_CHARACTERS)
      throw new LogError('corrupt', { kind: 'gpx-without-tags', line: this.#parser.line });
  }

  /** Ends the file. @throws LogError 'truncated' when tags are still open, 'header' for an empty file */
  end(): void {
    this.#write(this.#decoder?.decode() ?? '');
    if (this.#depth > 0) throw new LogError('truncated', { kind: 'gpx-cut-off' });
    if (this.#parser.position === 0)
      throw new LogError('header', { kind: 'gpx-empty', line: this.#parser.line });
    this.#parser.close();
  }

  #write(text: string): void {
    this.#parser.write(text);
    this.#charactersRead = this.#parser.position;
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    this.#sinceTag = 0;
    this.#depth += 1;
    const depth = this.#depth;
    if (depth > DEEPEST)
      throw new LogError('corrupt', { kind: 'gpx-too-deep', line: this.#parser.line, deepest: DEEPEST });
    const kind = name.slice(name.indexOf(':') + 1);
    if (depth === 1 && kind !== 'gpx')
      throw new LogError('header', { kind: 'no-gpx', line: this.#parser.line });
    const point = this.#point;
    if (point === undefined) {
      if (kind === 'wpt') this.planned.waypoints += 1;
      if (kind === 'trkseg' || kind === 'rte') {
        this.#isNewSegment = true;
        this.#segments += 1;
      }
      if (kind !== 'trkpt' && kind !== 'rtept') return;
      if (kind === 'rtept') this.planned.route += 1;
      const { position: at, line } = this.#parser;
      const beginsSegment = this.#isNewSegment && this.#segments > 1;
      this.#isNewSegment = false;
      this.#point = { lat: attributes.lat, lon: attributes.lon, at, line: line - 1, depth, beginsSegment };
    } else if (isField(kind) && (kind === 'speed' || depth === point.depth + 1) && !(kind in point)) {
      this.#field = { name: kind, depth, text: '' };
    }
  }

  #close(): void {
    this.#sinceTag = 0;
    const point = this.#point;
    if (point !== undefined && this.#field?.depth === this.#depth) {
      point[this.#field.name] = this.#field.text.trim();
      this.#field = undefined;
    }
    if (point?.depth === this.#depth) {
      this.#point = undefined;
      this.#onPoint(point);
    }
    this.#depth -= 1;
  }
}

const isField = (name: string): name is Field => name === 'time' || name === 'ele' || name === 'speed';

/**
 * Returns the encoding according to the byte order mark. The fields that are read are ASCII, so names in an encoding
 * other than UTF-8 may be wrong.
 */
function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}
