import { answerOf, startHelper } from './load-client.ts';
import type { Workplace } from './workplace.ts';

/** The Fastify of reference-server.ts. */
export type Reference = { readonly pid: number; readonly port: number };

/** @param file the bytes that its GET /live serves; without one it has no such route */
export async function startReference(place: Workplace, file?: string): Promise<Reference> {
  const child = startHelper(place, './reference-server.ts', ...(file === undefined ? [] : [file]));
  const [port] = (await answerOf(child)) as [number];
  return { pid: child.pid as number, port };
}
