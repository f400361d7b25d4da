import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
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
    { ...pageAt(crmNav.support), load: () => import('../support-time/support.web.tsx') },
    {
      ...pageAt(crmNav.siteVisits),
      load: async () => ({ default: (await import('../site-visits/list.web.tsx')).AllVisitsPage }),
    },
    {
      ...pageAt(crmNav.ownSiteVisits),
      load: async () => ({ default: (await import('../site-visits/list.web.tsx')).OwnVisitsPage }),
    },
  ],
})
