import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { currentSection } from './current-section.ts';
import { useSectionEntries } from './section.tsx';
import styles from './table-of-contents.module.css';

/** Links to the sections of the machine page, with the current one marked. Shown on wide screens only. */
export function TableOfContents(): ReactNode {
  const entries = useSectionEntries();
  const current = useCurrent(entries.map(({ id }) => id).join(' '));
  const { search } = useLocation();
  return (
    <nav aria-label="Inhoud" className={styles.contents}>
      <ul className="stack gap-0 p-1">
        {entries.map(({ id, title, attention }) => (
          <li key={id}>
            {/* Replaces the entry in the browser's history, so that Back leaves the page. */}
            <Link
              to={{ search, hash: id }}
              replace
              preventScrollReset
              aria-current={id === current ? 'location' : undefined}
            >
              {title}
              {attention !== undefined && (
                <span className={`${styles.attention} clip smaller strong alarming`}>{attention}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Tolerance at the end of the page: browsers may report a scroll position that is a fraction of a pixel too small. */
const END_PX = 2;

/** Returns the id of the current section (current-section.ts). @param ids the ids of the sections, separated by spaces */
function useCurrent(ids: string): string | undefined {
  const named = useLocation().hash.slice(1);
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const update = (): void => {
      const boxes = ids.split(' ').flatMap((id) => {
        const box = document.getElementById(id)?.getBoundingClientRect();
        return box ? [{ id, top: box.top }] : [];
      });
      const { scrollHeight } = document.documentElement;
      const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - END_PX;
      setCurrent(currentSection(boxes, { heightPx: innerHeight, isAtEnd, named }));
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [ids, named]);
  return current;
}
