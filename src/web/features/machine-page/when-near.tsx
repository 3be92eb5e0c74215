import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import styles from './when-near.module.css';

/**
 * Something heavy of a long page, that is there once the reader is near it: its code is loaded and its data asked for then. It keeps the
 * room that it will take, so that not all of a page is near at once.
 */
export function WhenNear({ children }: { readonly children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !place.current) return;
    const watch = new IntersectionObserver(
      (seen) => setNear(seen.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '300px' },
    );
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [isNear]);
  const room = <div ref={place} className={styles.room} />;
  return isNear ? <Suspense fallback={room}>{children}</Suspense> : room;
}
