/** Explains how a CANedge gets a new key. */
export const CANEDGE_SETTINGS_HINT = 'Maak zijn instellingen en zet die in de CANedge.';
