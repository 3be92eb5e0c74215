import sharp from 'sharp';
import { type FileKind, replaceFile } from '#server/machine-files/machine-files.store.ts';
import { checkManual } from '#server/machine-files/manual.ts';
import { encodePhoto } from '#server/machine-files/photo.ts';
import type { Pool } from '#server/platform/database.ts';
import { type DemoMachine, demoMachines } from '#shared/demo/fleet.ts';
import type { DemoModel } from '#shared/demo/models.ts';
import type { Scope } from '#shared/domain/access.ts';
import { machineDrawing } from './machine-drawing.ts';
import { machineManual } from './machine-manual.ts';

const SCOPE: Scope = { organizations: 'all', actions: new Set(['manage-machines']) };
const BY = { email: 'demo', scope: SCOPE };

/**
 * Adds a photo and a manual to each machine of the demo, once: files that people deleted or replaced are not added again. The audit
 * log shows which files a machine ever had, so the next start completes an interrupted run.
 * @returns the number of stored files
 */
export async function addMachineFiles(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ serial: string; kind: FileKind }>(
    `select s.serial, k.kind from stream s cross join (values ('photo'), ('manual')) as k (kind)
     where s.kind = 'machine' and s.deleted_at is null and s.serial = any ($1)
       and not exists (
         select from audit a where a.subject = s.serial and a.action = k.kind || '.upload' and a.at >= s.created_at
       )`,
    [demoMachines.map(({ serialNumber }) => serialNumber)],
  );
  const machines = new Map(demoMachines.map((machine) => [machine.serialNumber, machine]));
  const photos = new Map<DemoModel, Promise<Buffer>>();
  await Promise.all(
    rows.map(async ({ serial, kind }) => {
      const machine = machines.get(serial) as DemoMachine;
      if (kind === 'manual') return addManual(pool, machine);
      const photo = photos.get(machine.model) ?? photoOf(machine.model);
      photos.set(machine.model, photo);
      const file = { name: `${serial}.webp`, contentType: 'image/webp', body: await photo };
      await replaceFile(pool, BY, serial, kind, file);
    }),
  );
  return rows.length;
}

async function photoOf(model: DemoModel): Promise<Buffer> {
  const drawn = await sharp(Buffer.from(machineDrawing(model)))
    .png({ compressionLevel: 1 })
    .toBuffer();
  return encodePhoto(drawn);
}

async function addManual(pool: Pool, machine: DemoMachine): Promise<void> {
  const body = machineManual(machine);
  await checkManual(body);
  const { brand, model } = machine.model;
  const file = { name: `Handleiding ${brand} ${model}.pdf`, contentType: 'application/pdf', body };
  await replaceFile(pool, BY, machine.serialNumber, 'manual', file);
}
