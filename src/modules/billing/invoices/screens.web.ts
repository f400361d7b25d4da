import { screens } from '#web/shell/manifest/module.ts'
import { isRecord, isRecordOrNew, pageAt } from '#web/shell/manifest/page.ts'
import { panel, withPanels } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import { nav } from '../nav.ts'
import { BOOKS, INVOICING } from '../rights.ts'
import type { invoice } from './invoice.ts'

export const invoices = screens({
  pages: [
    { ...pageAt(nav.ownInvoices), load: () => import('./list.web.tsx') },
    {
      path: `${nav.ownInvoices.path}/create`,
      title: 'New invoice',
      begins: 'New invoice',
      under: nav.ownInvoices.path,
      writes: true,
      load: withPanels('Invoice', () => import('./page.web.tsx')),
      allow: INVOICING,
      pack: BOOKS,
    },
    {
      path: `${nav.ownInvoices.path}/view/:id`,
      title: 'Invoice',
      under: nav.ownInvoices.path,
      valid: isRecord,
      load: withPanels('Invoice', () => import('./page.web.tsx')),
      allow: INVOICING,
      pack: BOOKS,
    },
    { ...pageAt(nav.ownSettings), load: () => import('../client-invoicing/settings.web.tsx') },
    { ...pageAt(nav.bills), load: () => import('../received-invoices/bills.web.tsx') },
    { ...pageAt(nav.invoices), load: () => import('./list.web.tsx') },
    {
      path: '/crm/invoice/:id?',
      title: 'Invoice',
      begins: 'New invoice',
      under: nav.invoices.path,
      valid: isRecordOrNew,
      load: withPanels('Invoice', () => import('./page.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageAt(nav.settings), load: () => import('../client-invoicing/settings.web.tsx') },
  ],
  panels: [
    panel<typeof customer>({ of: 'Customer', order: 15, load: () => import('../statements/account.web.tsx') }),
    panel<typeof invoice>({ of: 'Invoice', order: 10, load: () => import('../credits/credits.web.tsx') }),
  ],
})
