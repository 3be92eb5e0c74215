import { buildWebIfMissing } from '#scripts/build-web.ts';

export default buildWebIfMissing;
