import type { client } from '#modules/portal/clients/client.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, pageAt } from '#web/shell/manifest/page.ts'
import { panel, withPanels } from '#web/shell/manifest/panels.tsx'
import { nav } from '../nav.ts'
import { BOOKS, INVOICING } from '../rights.ts'

export const customers = screens({
  pages: [
    { ...pageAt(nav.ownCustomers), load: () => import('./list.web.tsx') },
    {
      path: `${nav.ownCustomers.path}/:id`,
      title: 'Customer',
      under: nav.ownCustomers.path,
      valid: isRecord,
      load: withPanels('Customer', () => import('./customer.web.tsx')),
      allow: INVOICING,
      pack: BOOKS,
    },
    { ...pageAt(nav.customers), load: () => import('./list.web.tsx') },
    {
      path: '/crm/customer/:id',
      title: 'Customer',
      under: nav.customers.path,
      valid: isRecord,
      load: withPanels('Customer', () => import('./customer.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageAt(nav.batch), load: () => import('./batch.web.tsx') },
  ],
  panels: [panel<typeof client>({ of: 'Client', order: 10, load: () => import('./of-client.web.tsx') })],
})
