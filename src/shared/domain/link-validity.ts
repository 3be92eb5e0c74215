/**
 * How long the links of invitations, confirmations and password resets are valid. The server enforces these
 * times; mails and screens show them.
 */

/** Validity of an invitation. */
export const INVITATION_DAYS = 7;
/** Validity of the link that confirms an e-mail address. */
export const CONFIRMATION_DAYS = 7;
/** Validity of the link for a new password. */
export const RESET_MINUTES = 30;
