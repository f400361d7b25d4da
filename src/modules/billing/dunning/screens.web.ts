import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import type { invoice } from '../invoices/invoice.ts'
import { billingNav } from '../nav.ts'

export const dunning = screens({
  pages: [
    { ...pageFromNavigation(billingNav.overview), load: () => import('../debtors/overview.web.tsx') },
    { ...pageFromNavigation(billingNav.debtors), load: () => import('../debtors/debtors.web.tsx') },
    { ...pageFromNavigation(billingNav.overdue), load: () => import('./list.web.tsx') },
    { ...pageFromNavigation(billingNav.ownOverdue), load: () => import('./list.web.tsx') },
    { path: '/crm/failed-payments', title: 'Overdue', redirect: billingNav.overdue.path, allow: 'ROLE_FINANCE' },
  ],
  panels: [
    recordPanel<typeof customer>({ of: 'Customer', order: 16, load: () => import('./of-customer.web.tsx') }),
    recordPanel<typeof invoice>({ of: 'Invoice', order: 7, load: () => import('./of-invoice.web.tsx') }),
  ],
})
