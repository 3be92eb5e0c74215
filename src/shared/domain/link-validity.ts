/** How long the links are valid that let a person in. The server enforces it; mails and screens say it. */

/** An invitation. */
export const INVITATION_DAYS = 7;
/** The confirmation of an e-mail address. */
export const CONFIRMATION_DAYS = 7;
/** The choice of a new password. */
export const RESET_MINUTES = 30;
