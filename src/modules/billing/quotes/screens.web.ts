import type { contact } from '#modules/crm/contacts/contact.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, hasRecordIdOrNone, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withRecordPanels } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import type { invoice } from '../invoices/invoice.ts'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLES } from '../rights.ts'
import type { quote } from './quote.ts'

export const quotes = screens({
  pages: [
    { ...pageFromNavigation(billingNav.ownQuotes), load: () => import('./list.web.tsx') },
    {
      path: `${billingNav.ownQuotes.path}/create`,
      title: 'New quote',
      begins: 'New quote',
      under: billingNav.ownQuotes.path,
      writes: true,
      load: withRecordPanels('Quote', () => import('../quote-builder/page.web.tsx')),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    {
      path: `${billingNav.ownQuotes.path}/view/:id`,
      title: 'Quote',
      under: billingNav.ownQuotes.path,
      valid: hasRecordId,
      load: withRecordPanels('Quote', () => import('../quote-builder/page.web.tsx')),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.ownApprovals), load: () => import('../approvals/approvals.web.tsx') },
    { ...pageFromNavigation(billingNav.quotes), load: () => import('./list.web.tsx') },
    {
      path: '/crm/quote/:id?',
      title: 'Quote',
      begins: 'New quote',
      under: billingNav.quotes.path,
      valid: hasRecordIdOrNone,
      load: withRecordPanels('Quote', () => import('../quote-builder/page.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageFromNavigation(billingNav.approvals), load: () => import('../approvals/approvals.web.tsx') },
    {
      path: '/crm/contact/sale/:id?',
      title: 'Sell',
      begins: 'Sell to a lead',
      under: billingNav.quotes.path,
      valid: hasRecordIdOrNone,
      load: () => import('../quote-conversion/order.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    {
      path: '/quote/:token',
      title: 'Your quote',
      layout: 'blank',
      open: true,
      load: () => import('../acceptance/acceptance.web.tsx'),
    },
  ],
  noticeDialogs: [
    {
      kind: 'quote.decided',
      load: async () => ({
        default: (await import('../congratulations/congratulations.web.tsx')).AcceptanceCongratulations,
      }),
    },
  ],
  panels: [
    recordPanel<typeof contact>({
      of: 'Contact',
      order: 10,
      load: () => import('../quote-conversion/lead-selling.web.tsx'),
    }),
    recordPanel<typeof customer>({ of: 'Customer', order: 10, load: () => import('./of-customer.web.tsx') }),
    recordPanel<typeof customer>({
      of: 'Customer',
      order: 4,
      load: () => import('../approvals/finance-request.web.tsx'),
    }),
    recordPanel<typeof invoice>({
      of: 'Invoice',
      order: 4,
      load: () => import('../approvals/finance-request.web.tsx'),
    }),
    recordPanel<typeof quote>({ of: 'Quote', order: 10, load: () => import('../quote-conversion/of-quote.web.tsx') }),
  ],
})
