import { useState } from 'react';

/** The last answer that came: what was there stays when the next one fails. */
export function useKept<T>(data: T | undefined): T | undefined {
  const [kept, setKept] = useState(data);
  if (data !== undefined && data !== kept) setKept(data);
  return data ?? kept;
}
