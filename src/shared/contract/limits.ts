import { z } from 'zod';

/** Maximum number of projects or labels in one access restriction. */
const MOST = 200;
const ids = z.array(z.int32()).max(MOST, `zijn er hoogstens ${MOST}`);

/**
 * The access restriction of a gebruiker or kijker; null: none. `machines`: the user sees a machine only while it is on one of the
 * projects or carries one of the labels; null: all machines of the organization. `onlyToday`, for a kijker: only data since midnight.
 */
export const AccessLimitInput = z
  .object({
    machines: z.object({ projects: ids, labels: ids }).nullable(),
    onlyToday: z.boolean(),
  })
  .nullable();
export type AccessLimitInput = z.output<typeof AccessLimitInput>;

/** An access restriction with the names of its projects and labels. */
export const AccessLimitView = z
  .object({
    machines: z
      .object({
        /** `isOver`: the project ended or was deleted, so that its machines are not shown. */
        projects: z.array(z.object({ _id: z.number().int(), projectName: z.string(), isOver: z.boolean() })),
        /** The labels of the restriction, without those that were deleted. */
        labels: z.array(z.object({ _id: z.number().int(), labelName: z.string() })),
      })
      .nullable(),
    onlyToday: z.boolean(),
  })
  .nullable();
export type AccessLimitView = z.output<typeof AccessLimitView>;
