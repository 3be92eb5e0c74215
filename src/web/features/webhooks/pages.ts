import type { Pages } from '#web/lib/page-declaration.ts';

export const webhooksPages: Pages = {
  webhooks: {
    path: '/organization/:name/webhooks',
    title: 'Webhooks',
    needs: 'manage-users',
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
  },
};
