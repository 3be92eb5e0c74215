/**
 * The frame of a section of the machine page, and the list of all sections: links at the side or, on a phone,
 * headings that open the sections.
 */
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import { useMedia } from '#web/lib/use-media.ts';
import { Chevron } from '#web/ui/chevron.tsx';
import panel from '#web/ui/panel.module.css';
import styles from './section.module.css';

/** Screens on which the sections are closed at first. */
const PHONE = '(max-width: 47.99em)';

export type SectionEntry = {
  readonly id: string;
  readonly title: string;
  /** Sentence about what needs attention. */
  readonly attention: string | undefined;
};

type Registry = {
  readonly register: (entry: SectionEntry) => () => void;
  /** Whether a section is open, by its id. A loaded section takes over the state of the placeholder that it replaces. */
  readonly opened: Map<string, boolean>;
};

const RegistryContext = createContext<Registry>({ register: () => () => undefined, opened: new Map() });
const EntriesContext = createContext<readonly SectionEntry[]>([]);

/** Returns the sections that the page has now, in the order of the page. */
export const useSectionEntries = (): readonly SectionEntry[] => use(EntriesContext);

/** Wraps the machine page, keeps a list of its sections, and scrolls to the section that the URL's fragment names. */
export function Sections({ children }: { readonly children: ReactNode }): ReactNode {
  const [entries, setEntries] = useState<readonly SectionEntry[]>([]);
  const registry = useMemo(
    (): Registry => ({
      register(entry) {
        setEntries((before) => inPageOrder([...before.filter(({ id }) => id !== entry.id), entry]));
        return () => setEntries((before) => before.filter((one) => one !== entry));
      },
      opened: new Map(),
    }),
    [],
  );
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: pressing the same link again changes only the key.
  useEffect(() => (hash === '' ? undefined : bringIntoSight(hash.slice(1))), [hash, key]);
  return (
    <RegistryContext value={registry}>
      <EntriesContext value={entries}>{children}</EntriesContext>
    </RegistryContext>
  );
}

function inPageOrder(entries: readonly SectionEntry[]): readonly SectionEntry[] {
  const order = [...document.querySelectorAll('section[id]')].map(({ id }) => id);
  return [...entries].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

/** The target is kept in place for this long, because sections above it may still be loading and change the page's height. */
const SETTLING_MS = 5_000;
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to a section and keeps it in place while the page grows, until the user scrolls or presses something.
 * Returns a function that stops this.
 */
function bringIntoSight(id: string): () => void {
  const show = (hasFocus = document.activeElement !== document.body): void => {
    const section = document.getElementById(id);
    section?.scrollIntoView();
    // A loaded section replaces its placeholder, which had the focus.
    if (!hasFocus)
      section?.querySelector<HTMLElement>('h2[tabindex], h2 button')?.focus({ preventScroll: true });
  };
  const frame = requestAnimationFrame(() => show(false));
  const grows = new ResizeObserver(() => show());
  grows.observe(document.body);
  const stop = (): void => {
    cancelAnimationFrame(frame);
    grows.disconnect();
    clearTimeout(timer);
    for (const name of OWN_MOVES) removeEventListener(name, stop);
  };
  const timer = setTimeout(stop, SETTLING_MS);
  for (const name of OWN_MOVES) addEventListener(name, stop, { passive: true });
  return stop;
}

type SectionProps = {
  /** Id of the section; a URL with the fragment `#id` links to the section. */
  readonly id: string;
  readonly title: string;
  /** Shown beside the title. */
  readonly action?: ReactNode;
  /** Shown below the title on a phone, where the section may be closed. */
  readonly summary?: string | undefined;
  /** Sentence about what needs attention, shown with the title on a phone and in the list of sections. */
  readonly attention?: string | undefined;
  /** Opens the section on a phone when it becomes true; otherwise the user's choice stays. */
  readonly opens?: boolean;
  /** Whether the content is rendered only once the section is open. */
  readonly isHeavy?: boolean;
  readonly children?: ReactNode;
};

/** A section with a heading. On a phone the user opens it by its heading, by a link to it, or by a search in the page. */
export function Section(props: SectionProps): ReactNode {
  const { id, title, action, summary, attention, opens = false, isHeavy = false, children } = props;
  const [titleId, bodyId] = [useId(), useId()];
  const body = useRef<HTMLDivElement>(null);
  const isPhone = useMedia(PHONE);
  const { hash, key } = useLocation();
  const isNamed = hash === `#${id}`;
  const { register, opened } = use(RegistryContext);
  const [isOpened, setOpened] = useState(opened.get(id) ?? (opens || isNamed));
  useEffect(() => void opened.set(id, isOpened), [opened, id, isOpened]);
  useLayoutEffect(() => register({ id, title, attention }), [register, id, title, attention]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pressing the same link again changes only the key.
  useEffect(() => {
    if (opens || isNamed) setOpened(true);
  }, [opens, isNamed, key]);
  const isOpen = isOpened || !isPhone;
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  useLayoutEffect(() => {
    const element = body.current;
    if (!element || isOpen) return element?.removeAttribute('hidden');
    // React's `hidden` has no value 'until-found', with which the browser's search finds the text.
    element.setAttribute('hidden', 'until-found');
    const onMatch = (): void => setOpened(true);
    const onPrint = (): void => flushSync(() => setWasOpen(true));
    element.addEventListener('beforematch', onMatch);
    addEventListener('beforeprint', onPrint);
    return () => {
      element.removeEventListener('beforematch', onMatch);
      removeEventListener('beforeprint', onPrint);
    };
  }, [isOpen]);
  return (
    <section
      id={id}
      className={`${panel.panel} ${styles.section} stack gap-4 surface p-4`}
      aria-labelledby={titleId}
    >
      <div className="split">
        <h2 className="large grow-12" id={isPhone ? undefined : titleId} tabIndex={isPhone ? undefined : -1}>
          {isPhone ? (
            <button
              type="button"
              className={`${styles.opener} beside middle full touch left`}
              aria-expanded={isOpen}
              aria-controls={bodyId}
              onClick={() => setOpened(!isOpened)}
            >
              <Chevron isOpen={isOpen} />
              <span id={titleId}>{title}</span>
              {(attention ?? summary) && (
                <span
                  className={`${styles.note} small normal quiet wrap`}
                  data-attention={attention !== undefined || undefined}
                >
                  {attention ?? summary}
                </span>
              )}
            </button>
          ) : (
            title
          )}
        </h2>
        {isOpen && action}
      </div>
      <div ref={body} id={bodyId} className={`${styles.body} stack gap-4 unless-empty`}>
        {(wasOpen || !isHeavy) && children}
      </div>
    </section>
  );
}
