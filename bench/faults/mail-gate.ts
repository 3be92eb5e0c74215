import { connect, createServer, type Socket } from 'node:net';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import type { Workplace } from '../workplace.ts';

/** A real mail server behind a upload endpoint that can be shut: whoever knocks then waits, and hears nothing. */
export type MailGate = {
  readonly url: string;
  readonly server: MailServer;
  shut(): void;
  /** Whoever waited is cut off. */
  open(): void;
};

export async function openMailGate(place: Workplace): Promise<MailGate> {
  const server = await startMailServer();
  const waiting = new Set<Socket>();
  let isOpen = true;
  const gate = createServer((socket) => {
    socket.on('error', () => {});
    if (!isOpen) {
      waiting.add(socket);
      return;
    }
    const inside = connect(server.port, '127.0.0.1').on('error', () => socket.destroy());
    socket.pipe(inside).pipe(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => gate.once('listening', listening));
  const { port } = gate.address() as { port: number };
  const open = () => {
    isOpen = true;
    for (const socket of waiting) socket.destroy();
    waiting.clear();
  };
  place.onClose(async () => {
    open();
    gate.close();
    await server.close();
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    server,
    open,
    shut() {
      isOpen = false;
    },
  };
}
