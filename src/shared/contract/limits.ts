import { z } from 'zod';

/** Longest list of a limit. */
const MOST = 200;
const ids = z.array(z.int32()).max(MOST, `zijn er hoogstens ${MOST}`);

/**
 * The limit of a gebruiker or kijker; null: none. `machines`: those that are on one of the projects, or carry one of the labels, at
 * that moment; null: all of the organization. `onlyToday`, of a kijker: from midnight on.
 */
export const WantedLimit = z
  .object({
    machines: z.object({ projects: ids, labels: ids }).nullable(),
    onlyToday: z.boolean(),
  })
  .nullable();
export type WantedLimit = z.output<typeof WantedLimit>;

/** A limit with the names of what it is of. */
export const ShownLimit = z
  .object({
    machines: z
      .object({
        /** `isOver`: it ended or was deleted, so that its machines are not seen. */
        projects: z.array(z.object({ _id: z.number().int(), projectName: z.string(), isOver: z.boolean() })),
        /** Without those that were deleted. */
        labels: z.array(z.object({ _id: z.number().int(), labelName: z.string() })),
      })
      .nullable(),
    onlyToday: z.boolean(),
  })
  .nullable();
export type ShownLimit = z.output<typeof ShownLimit>;
