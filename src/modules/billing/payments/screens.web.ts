import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import type { invoice } from '../invoices/invoice.ts'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLES } from '../rights.ts'

export const payments = screens({
  pages: [
    { ...pageFromNavigation(billingNav.ownPayments), load: () => import('./charges.web.tsx') },
    {
      path: `${billingNav.ownPayments.path}/:id`,
      title: 'Payment',
      under: billingNav.ownPayments.path,
      valid: hasRecordId,
      load: () => import('./charge.web.tsx'),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.charges), load: () => import('./charges.web.tsx') },
    {
      path: '/crm/charge/:id',
      title: 'Payment',
      under: billingNav.charges.path,
      valid: hasRecordId,
      load: () => import('./charge.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    { ...pageFromNavigation(billingNav.bank), load: () => import('../bank/bank.web.tsx') },
    { ...pageFromNavigation(billingNav.refunds), load: () => import('./refunds.web.tsx') },
    { ...pageFromNavigation(billingNav.webhooks), load: () => import('./webhooks.web.tsx') },
    {
      path: '/pay/:token',
      title: 'Pay your invoice',
      layout: 'blank',
      open: true,
      load: () => import('../pay-links/pay.web.tsx'),
    },
  ],
  panels: [
    recordPanel<typeof customer>({ of: 'Customer', order: 20, load: () => import('../cards/card.web.tsx') }),
    recordPanel<typeof customer>({
      of: 'Customer',
      order: 18,
      load: async () => ({ default: (await import('./payments-card.web.tsx')).CustomerPayments }),
    }),
    recordPanel<typeof invoice>({
      of: 'Invoice',
      order: 5,
      load: async () => ({ default: (await import('./payments-card.web.tsx')).InvoicePayments }),
    }),
  ],
})
