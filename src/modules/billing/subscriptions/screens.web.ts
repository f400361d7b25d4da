import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLES } from '../rights.ts'

export const subscriptions = screens({
  pages: [
    {
      path: '/invoice/subscription/:id',
      title: 'Subscription',
      under: billingNav.ownCustomers.path,
      valid: hasRecordId,
      load: () => import('./subscription.web.tsx'),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.recurring), load: () => import('../recurring/recurring.web.tsx') },
    { ...pageFromNavigation(billingNav.renewals), load: () => import('../renewals/renewals.web.tsx') },
    { ...pageFromNavigation(billingNav.subscriptions), load: () => import('./list.web.tsx') },
    {
      path: '/crm/subscription/:id',
      title: 'Subscription',
      under: billingNav.subscriptions.path,
      valid: hasRecordId,
      load: () => import('./subscription.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    { ...pageFromNavigation(billingNav.billingRun), load: () => import('./billing-run.web.tsx') },
  ],
  panels: [recordPanel<typeof customer>({ of: 'Customer', order: 5, load: () => import('./of-customer.web.tsx') })],
})
