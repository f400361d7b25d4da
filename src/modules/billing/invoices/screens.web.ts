import { screens } from '#web/shell/manifest/module.ts'
import { hasRecordId, hasRecordIdOrNone, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withRecordPanels } from '#web/shell/manifest/panels.tsx'
import type { customer } from '../customers/customer.ts'
import { billingNav } from '../nav.ts'
import { INVOICING_PACK, INVOICING_ROLES } from '../rights.ts'
import type { invoice } from './invoice.ts'

export const invoices = screens({
  pages: [
    { ...pageFromNavigation(billingNav.ownInvoices), load: () => import('./list.web.tsx') },
    {
      path: `${billingNav.ownInvoices.path}/create`,
      title: 'New invoice',
      begins: 'New invoice',
      under: billingNav.ownInvoices.path,
      writes: true,
      load: withRecordPanels('Invoice', () => import('./page.web.tsx')),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    {
      path: `${billingNav.ownInvoices.path}/view/:id`,
      title: 'Invoice',
      under: billingNav.ownInvoices.path,
      valid: hasRecordId,
      load: withRecordPanels('Invoice', () => import('./page.web.tsx')),
      allow: INVOICING_ROLES,
      pack: INVOICING_PACK,
    },
    { ...pageFromNavigation(billingNav.ownSettings), load: () => import('../client-invoicing/settings.web.tsx') },
    { ...pageFromNavigation(billingNav.bills), load: () => import('../received-invoices/bills.web.tsx') },
    { ...pageFromNavigation(billingNav.invoices), load: () => import('./list.web.tsx') },
    {
      path: '/crm/invoice/:id?',
      title: 'Invoice',
      begins: 'New invoice',
      under: billingNav.invoices.path,
      valid: hasRecordIdOrNone,
      load: withRecordPanels('Invoice', () => import('./page.web.tsx')),
      allow: 'ROLE_STAFF',
    },
    { ...pageFromNavigation(billingNav.settings), load: () => import('../client-invoicing/settings.web.tsx') },
  ],
  panels: [
    recordPanel<typeof customer>({ of: 'Customer', order: 15, load: () => import('../statements/account.web.tsx') }),
    recordPanel<typeof invoice>({ of: 'Invoice', order: 6, load: () => import('../customers/set-up-client.web.tsx') }),
    recordPanel<typeof invoice>({ of: 'Invoice', order: 10, load: () => import('../credits/credits.web.tsx') }),
  ],
})
