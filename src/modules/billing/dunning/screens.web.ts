import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { panel } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import type { invoice } from '../invoices/invoice.ts'
import { nav } from '../nav.ts'

export const dunning = screens({
  pages: [
    { ...pageAt(nav.debtors), load: () => import('../debtors/debtors.web.tsx') },
    { ...pageAt(nav.failedPayments), load: () => import('./list.web.tsx') },
  ],
  panels: [
    panel<typeof customer>({ of: 'Customer', order: 16, load: () => import('./of-customer.web.tsx') }),
    panel<typeof invoice>({ of: 'Invoice', order: 7, load: () => import('./of-invoice.web.tsx') }),
  ],
})
