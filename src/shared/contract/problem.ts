/** The one error shape of the API: `{ code, message }`; `message` is what a person may read. */
export type Problem = { readonly code: ProblemCode; readonly message: string };

/** Every code and its HTTP status. */
export const PROBLEM_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  bad_credentials: 401,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUS;
