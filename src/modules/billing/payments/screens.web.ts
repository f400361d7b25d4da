import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, pageAt } from '#web/shell/manifest/page.ts'
import { panel } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import type { invoice } from '../invoices/invoice.ts'
import { nav } from '../nav.ts'
import { BOOKS, INVOICING } from '../rights.ts'

export const payments = screens({
  pages: [
    { ...pageAt(nav.ownPayments), load: () => import('./charges.web.tsx') },
    {
      path: `${nav.ownPayments.path}/:id`,
      title: 'Payment',
      under: nav.ownPayments.path,
      valid: isRecord,
      load: () => import('./charge.web.tsx'),
      allow: INVOICING,
      pack: BOOKS,
    },
    { ...pageAt(nav.charges), load: () => import('./charges.web.tsx') },
    {
      path: '/crm/charge/:id',
      title: 'Payment',
      under: nav.charges.path,
      valid: isRecord,
      load: () => import('./charge.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    { ...pageAt(nav.bank), load: () => import('../bank/bank.web.tsx') },
    { ...pageAt(nav.refunds), load: () => import('./refunds.web.tsx') },
    { ...pageAt(nav.webhooks), load: () => import('./webhooks.web.tsx') },
    {
      path: '/pay/:token',
      title: 'Pay your invoice',
      layout: 'blank',
      open: true,
      load: () => import('../pay-links/pay.web.tsx'),
    },
  ],
  panels: [
    panel<typeof customer>({ of: 'Customer', order: 20, load: () => import('../cards/card.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 18, load: () => import('./of-customer.web.tsx') }),
    panel<typeof invoice>({ of: 'Invoice', order: 5, load: () => import('./of-invoice.web.tsx') }),
  ],
})
