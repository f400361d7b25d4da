import type { client } from '#modules/portal/clients/client.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withRecordPanels } from '#web/shell/manifest/panels.tsx'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLES } from '../rights.ts'

export const customers = screens({
  pages: [
    { ...pageFromNavigation(billingNav.ownCustomers), load: () => import('./list.web.tsx') },
    {
      path: `${billingNav.ownCustomers.path}/:id`,
      title: 'Customer',
      under: billingNav.ownCustomers.path,
      valid: hasRecordId,
      load: withRecordPanels('Customer', () => import('./customer.web.tsx')),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.customers), load: () => import('./list.web.tsx') },
    {
      path: '/crm/customer/:id',
      title: 'Customer',
      under: billingNav.customers.path,
      valid: hasRecordId,
      load: withRecordPanels('Customer', () => import('./customer.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageFromNavigation(billingNav.batch), load: () => import('./batch.web.tsx') },
  ],
  panels: [recordPanel<typeof client>({ of: 'Client', order: 10, load: () => import('./of-client.web.tsx') })],
})
