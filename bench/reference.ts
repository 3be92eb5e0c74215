import { answerOf, startHelper } from './load-client.ts';
import type { Workplace } from './workplace.ts';

/** reference-server.ts: the port of its Fastify, and the one of Node's own server. */
export type Reference = { readonly pid: number; readonly port: number; readonly barePort: number };

/** @param file the bytes that its GET /live serves; without one it has no such route */
export async function startReference(place: Workplace, file?: string): Promise<Reference> {
  const child = startHelper(place, './reference-server.ts', ...(file === undefined ? [] : [file]));
  const [[port, barePort]] = (await answerOf(child)) as [[number, number]];
  return { pid: child.pid as number, port, barePort };
}
