/** The gallery: every component of ui/, map/ and chart/ in its states. `?story=ui/notice/Failure` shows one of them. */
import '#web/theme.css';
import '#web/words.css';
import '@fontsource/hind/latin-400.css';
import '@fontsource/hind/latin-500.css';
import '@fontsource/hind/latin-700.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { theme } from '#web/theme.ts';
import styles from './gallery.module.css';
import type { Story } from './story.ts';

/** This font looks the same on every computer; the system's own font does not. */
const FONT = 'Hind';
const FILES = import.meta.glob<Readonly<Record<string, Story>>>('../{ui,map,chart}/*.stories.tsx', {
  eager: true,
});
const STORIES = new Map(
  Object.entries(FILES).flatMap(([file, stories]) =>
    Object.entries(stories).map(([state, story]): [string, Story] => [
      `${/\.\.\/(.*)\.stories/.exec(file)?.[1]}/${state}`,
      story,
    ]),
  ),
);

/** Replaces the system's font in canvases, in which charts choose it by script: a style sheet has no effect there. */
function drawCanvasesWith(font: string): void {
  const { prototype } = CanvasRenderingContext2D;
  const own = Object.getOwnPropertyDescriptor(prototype, 'font')!;
  Object.defineProperty(prototype, 'font', {
    ...own,
    set(value: string) {
      own.set?.call(this, value.replace('system-ui', font));
    },
  });
}

/** Replaces `fetch`: returns the responses that the story declares, and fails for every other call. */
function answerCallsOf({ answers = {} }: Story): void {
  window.fetch = async (address, { method = 'GET' } = {}) => {
    const { pathname } = new URL(String(address), location.href);
    const answer = answers[`${method} ${pathname}`];
    return answer === undefined ? Response.error() : Response.json(answer);
  };
}

function Index() {
  return (
    <main className={styles.index}>
      <h1>Gallery</h1>
      <ul>
        {[...STORIES.keys()].map((name) => (
          <li key={name}>
            <a className="inherit" href={`?story=${name}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function Shown({ story: { render: State, layout, press, isMoving } }: { readonly story: Story }) {
  useEffect(() => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === press)?.click();
  }, [press]);
  return (
    <main
      id="story"
      tabIndex={-1}
      className={`${styles.story} p-4 clip`}
      data-layout={layout}
      data-moving={isMoving}
    >
      <State />
    </main>
  );
}

const name = new URLSearchParams(location.search).get('story');
const story = STORIES.get(name ?? '');
if (name && !story) throw new Error(`There is no story ${name}.`);
if (story) answerCallsOf(story);
drawCanvasesWith(FONT);
await document.fonts.load(`1em ${FONT}`);
const router = createMemoryRouter([{ path: '*', element: story ? <Shown story={story} /> : <Index /> }]);
createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={mergeThemeOverrides(theme, { fontFamily: FONT })} defaultColorScheme="auto">
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
