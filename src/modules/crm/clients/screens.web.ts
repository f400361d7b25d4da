import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { crmNav } from '../nav.ts'

export const clients = screens({
  pages: [
    {
      path: '/crm/pack-setup/:slug?',
      title: 'Set up a client',
      begins: 'Set up a client',
      under: '/cms/clients',
      allow: 'ROLE_CLIENTS_ADMIN',
      valid: ({ slug }) => slug === undefined || /^\d{1,9}$/.test(slug),
      load: () => import('./pack-setup.web.tsx'),
    },
    { ...pageFromNavigation(crmNav.support), load: () => import('../support-time/support.web.tsx') },
    {
      ...pageFromNavigation(crmNav.siteVisits),
      load: async () => ({ default: (await import('../site-visits/list.web.tsx')).AllSiteVisitsPage }),
    },
    {
      ...pageFromNavigation(crmNav.ownSiteVisits),
      load: async () => ({ default: (await import('../site-visits/list.web.tsx')).MySiteVisitsPage }),
    },
  ],
})
