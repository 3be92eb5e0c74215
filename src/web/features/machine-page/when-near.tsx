import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Section } from './sections.tsx';
import styles from './when-near.module.css';

type WhenNearProps = {
  /** The section's own, so that links to it and the list of sections know it before it is loaded. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
};

/**
 * Something heavy of a long page, that is there once the reader is near it: its code is loaded and its data asked for then. It keeps the
 * room that it will take, so that not all of a page is near at once.
 */
export function WhenNear({ id, title, children }: WhenNearProps): ReactNode {
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
  const room = (
    <div ref={place}>
      <Section id={id} title={title}>
        <div className={styles.room} />
      </Section>
    </div>
  );
  return isNear ? <Suspense fallback={room}>{children}</Suspense> : room;
}
