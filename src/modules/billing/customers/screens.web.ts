import type { client } from '#modules/portal/clients/client.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, pageAt } from '#web/shell/manifest/page.ts'
import { recordPanel, withPanels } from '#web/shell/manifest/panels.tsx'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLE } from '../rights.ts'

export const customers = screens({
  pages: [
    { ...pageAt(billingNav.ownCustomers), load: () => import('./list.web.tsx') },
    {
      path: `${billingNav.ownCustomers.path}/:id`,
      title: 'Customer',
      under: billingNav.ownCustomers.path,
      valid: isRecord,
      load: withPanels('Customer', () => import('./customer.web.tsx')),
      allow: INVOICING_ROLE,
      pack: INVOICING_PACK,
    },
    { ...pageAt(billingNav.customers), load: () => import('./list.web.tsx') },
    {
      path: '/crm/customer/:id',
      title: 'Customer',
      under: billingNav.customers.path,
      valid: isRecord,
      load: withPanels('Customer', () => import('./customer.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageAt(billingNav.batch), load: () => import('./batch.web.tsx') },
  ],
  panels: [recordPanel<typeof client>({ of: 'Client', order: 10, load: () => import('./of-client.web.tsx') })],
})
