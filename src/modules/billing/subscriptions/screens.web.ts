import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, pageAt } from '#web/shell/manifest/page.ts'
import { panel } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import { nav } from '../nav.ts'
import { BOOKS, INVOICING } from '../rights.ts'

export const subscriptions = screens({
  pages: [
    {
      path: '/invoice/subscription/:id',
      title: 'Subscription',
      under: nav.ownCustomers.path,
      valid: isRecord,
      load: () => import('./subscription.web.tsx'),
      allow: INVOICING,
      pack: BOOKS,
    },
    { ...pageAt(nav.recurring), load: () => import('../recurring/recurring.web.tsx') },
    { ...pageAt(nav.renewals), load: () => import('../renewals/renewals.web.tsx') },
    { ...pageAt(nav.subscriptions), load: () => import('./list.web.tsx') },
    {
      path: '/crm/subscription/:id',
      title: 'Subscription',
      under: nav.subscriptions.path,
      valid: isRecord,
      load: () => import('./subscription.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    { ...pageAt(nav.billingRun), load: () => import('./billing-run.web.tsx') },
  ],
  panels: [panel<typeof customer>({ of: 'Customer', order: 5, load: () => import('./of-customer.web.tsx') })],
})
