import { connect, createServer, type Socket } from 'node:net';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import type { BenchContext } from '../context.ts';

/** A mail server behind a TCP proxy (the gate). While the gate is shut, new connections are accepted but get no response. */
export type MailGate = {
  readonly url: string;
  readonly server: MailServer;
  shut(): void;
  /** Opens the gate, and closes the connections that were made while it was shut. */
  open(): void;
};

export async function openMailGate(context: BenchContext): Promise<MailGate> {
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
  context.onClose(async () => {
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
