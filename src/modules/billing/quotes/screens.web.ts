import type { contact } from '#modules/crm/contacts/contact.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, isRecordOrNew, pageAt } from '#web/shell/manifest/page.ts'
import { panel, withPanels } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import { nav } from '../nav.ts'
import { BOOKS, INVOICING } from '../rights.ts'
import type { quote } from './quote.ts'

export const quotes = screens({
  pages: [
    { ...pageAt(nav.ownQuotes), load: () => import('./list.web.tsx') },
    {
      path: `${nav.ownQuotes.path}/create`,
      title: 'New quote',
      begins: 'New quote',
      under: nav.ownQuotes.path,
      writes: true,
      load: withPanels('Quote', () => import('../quote-builder/page.web.tsx')),
      allow: INVOICING,
      pack: BOOKS,
    },
    {
      path: `${nav.ownQuotes.path}/view/:id`,
      title: 'Quote',
      under: nav.ownQuotes.path,
      valid: isRecord,
      load: withPanels('Quote', () => import('../quote-builder/page.web.tsx')),
      allow: INVOICING,
      pack: BOOKS,
    },
    { ...pageAt(nav.ownApprovals), load: () => import('../approvals/approvals.web.tsx') },
    { ...pageAt(nav.quotes), load: () => import('./list.web.tsx') },
    {
      path: '/crm/quote/:id?',
      title: 'Quote',
      begins: 'New quote',
      under: nav.quotes.path,
      valid: isRecordOrNew,
      load: withPanels('Quote', () => import('../quote-builder/page.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageAt(nav.approvals), load: () => import('../approvals/approvals.web.tsx') },
    {
      path: '/crm/contact/sale/:id?',
      title: 'Sell',
      begins: 'Sell to a lead',
      under: nav.quotes.path,
      valid: isRecordOrNew,
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
  panels: [
    panel<typeof contact>({ of: 'Contact', order: 10, load: () => import('../quote-conversion/selling.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 10, load: () => import('./of-customer.web.tsx') }),
    panel<typeof quote>({ of: 'Quote', order: 10, load: () => import('../quote-conversion/of-quote.web.tsx') }),
  ],
})
