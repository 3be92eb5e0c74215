import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import styles from './contents.module.css';
import { currentSection } from './current-section.ts';
import { useSectionEntries } from './sections.tsx';

/** The sections of the machine page as links, with the one that is in sight marked; on a phone their headings do. */
export function Contents(): ReactNode {
  const entries = useSectionEntries();
  const current = useCurrent(entries.map(({ id }) => id).join(' '));
  const { search } = useLocation();
  return (
    <nav aria-label="Inhoud" className={styles.contents}>
      <ul>
        {entries.map(({ id, title, attention }) => (
          <li key={id}>
            {/* In place of the entry in the history: the way back stays the page before. */}
            <Link
              to={{ search, hash: id }}
              replace
              preventScrollReset
              aria-current={id === current ? 'location' : undefined}
            >
              {title}
              {attention !== undefined && <span className={styles.attention}>{attention}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** px; a page that is scrolled to its end may be a part of a pixel short of it. */
const END_PX = 2;

/** @param ids of the sections, with spaces between them */
function useCurrent(ids: string): string | undefined {
  const named = useLocation().hash.slice(1);
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const look = (): void => {
      const boxes = ids.split(' ').flatMap((id) => {
        const box = document.getElementById(id)?.getBoundingClientRect();
        return box ? [{ id, top: box.top }] : [];
      });
      const { scrollHeight } = document.documentElement;
      const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - END_PX;
      setCurrent(currentSection(boxes, { heightPx: innerHeight, isAtEnd, named }));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [ids, named]);
  return current;
}
