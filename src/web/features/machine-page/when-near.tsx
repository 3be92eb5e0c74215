import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Section } from './section.tsx';
import styles from './when-near.module.css';

type WhenNearProps = {
  /** Id of the section, with which links and the list of sections find the section before it is loaded. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
};

/**
 * Loads the code and data of a heavy section once the user scrolls near it. Until then it reserves the space of
 * the section, so that not all sections are near at once.
 */
export function LoadWhenNear({ id, title, children }: WhenNearProps): ReactNode {
  const room = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !room.current) return;
    const watch = new IntersectionObserver(
      (seen) => setNear(seen.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '300px' },
    );
    watch.observe(room.current);
    return () => watch.disconnect();
  }, [isNear]);
  const placeholder = (
    <div ref={room}>
      <Section id={id} title={title}>
        <div className={styles.room} />
      </Section>
    </div>
  );
  return isNear ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder;
}
