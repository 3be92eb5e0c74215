import type { Pages } from '#web/lib/page-declaration.ts';

export const projectsPages: Pages = {
  projects: {
    path: '/projecten',
    title: 'Projecten',
    needs: 'see-machines',
    load: async () => (await import('./projects-page.tsx')).ProjectsPage,
    menu: { place: 110, daily: 4 },
  },
  'new-project': {
    path: '/projecten/nieuw',
    title: 'Nieuw Project',
    needs: 'manage-projects',
    load: async () => (await import('./new-project-page.tsx')).NewProjectPage,
  },
  project: {
    path: '/projecten/:id',
    title: 'Project',
    needs: 'see-machines',
    load: async () => (await import('./project-page.tsx')).ProjectPage,
  },
  terreinen: {
    path: '/projecten/terreinen',
    title: 'Terreinen',
    needs: 'see-machines',
    load: async () => (await import('./terreinen-page.tsx')).TerreinenPage,
  },
  'new-terrein': {
    path: '/projecten/terreinen/nieuw',
    title: 'Nieuw Terrein',
    needs: 'manage-projects',
    load: async () => (await import('./new-terrein-page.tsx')).NewTerreinPage,
  },
  terrein: {
    path: '/projecten/terreinen/:terrein',
    title: 'Terrein',
    needs: 'see-machines',
    load: async () => (await import('./terrein-page.tsx')).TerreinPage,
  },
};
