/** What tabs tell each other about sessions, and what one tab remembers of its own; never who it is. */

const CHANGE_KEY = 'sessionChanged';
const VALIDATED_KEY = 'sessionValidated';

export type SessionChange = 'signed-in' | 'signed-out';

/** Tells the other tabs. The mark is removed at once: the event is the message. */
export function announce(change: SessionChange): void {
  attempt(() => {
    localStorage.setItem(CHANGE_KEY, change);
    localStorage.removeItem(CHANGE_KEY);
  });
}

/** Calls `onChange` for what another tab announces. */
export function hearOtherTabs(onChange: (change: SessionChange) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === CHANGE_KEY && (newValue === 'signed-in' || newValue === 'signed-out')) onChange(newValue);
  });
}

/** This tab had a valid session; survives a reload, ends with the tab or the session. */
export const rememberValidated = (): void => attempt(() => sessionStorage.setItem(VALIDATED_KEY, '1'));
export const forgetValidated = (): void => attempt(() => sessionStorage.removeItem(VALIDATED_KEY));
export const wasValidated = (): boolean => attempt(() => sessionStorage.getItem(VALIDATED_KEY)) === '1';

/** A browser may refuse to keep data for us; then tabs find out by their next poll. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
