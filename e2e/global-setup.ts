import { buildGalleryIfMissing, buildWebIfMissing } from '#scripts/build-web.ts';

export default async function buildPages(): Promise<void> {
  await buildWebIfMissing();
  await buildGalleryIfMissing();
}
