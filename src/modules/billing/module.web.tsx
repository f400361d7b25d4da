import { readId } from '#kernel/iri.ts'
import type { contact } from '#modules/crm/contacts/contact.ts'
import type { client } from '#modules/portal/clients/client.ts'
import type { WebModule } from '#web/shell/manifest/module.ts'
import { type Page, type PageParams, pageAt } from '#web/shell/manifest/page.ts'
import { panel, withPanels } from '#web/shell/manifest/panels.tsx'
import type { customer } from './customers/customer.ts'
import type { invoice } from './invoices/invoice.ts'
import { nav } from './nav.ts'
import type { quote } from './quotes/quote.ts'
import { BOOKS, INVOICING } from './rights.ts'

const isRecord = ({ id }: PageParams) => readId(id) !== undefined

const STAFF = { allow: 'ROLE_STAFF' } as const
/** A page of a client's own books that is reached from another. */
const OWN = { allow: INVOICING, pack: BOOKS } as const

/** The screens of a client's own books: the provider's, at addresses of their own (`places.ts`). */
const ownPages: readonly Page[] = [
  { ...pageAt(nav.ownInvoices), load: () => import('./invoices/list.web.tsx') },
  {
    path: `${nav.ownInvoices.path}/create`,
    title: 'New invoice',
    begins: 'New invoice',
    under: nav.ownInvoices.path,
    writes: true,
    load: withPanels('Invoice', () => import('./invoices/page.web.tsx')),
    ...OWN,
  },
  {
    path: `${nav.ownInvoices.path}/view/:id`,
    title: 'Invoice',
    under: nav.ownInvoices.path,
    valid: isRecord,
    load: withPanels('Invoice', () => import('./invoices/page.web.tsx')),
    ...OWN,
  },
  { ...pageAt(nav.ownQuotes), load: () => import('./quotes/list.web.tsx') },
  {
    path: `${nav.ownQuotes.path}/create`,
    title: 'New quote',
    begins: 'New quote',
    under: nav.ownQuotes.path,
    writes: true,
    load: withPanels('Quote', () => import('./quote-builder/page.web.tsx')),
    ...OWN,
  },
  {
    path: `${nav.ownQuotes.path}/view/:id`,
    title: 'Quote',
    under: nav.ownQuotes.path,
    valid: isRecord,
    load: withPanels('Quote', () => import('./quote-builder/page.web.tsx')),
    ...OWN,
  },
  { ...pageAt(nav.ownCustomers), load: () => import('./customers/list.web.tsx') },
  {
    path: `${nav.ownCustomers.path}/:id`,
    title: 'Customer',
    under: nav.ownCustomers.path,
    valid: isRecord,
    load: withPanels('Customer', () => import('./customers/customer.web.tsx')),
    ...OWN,
  },
  { ...pageAt(nav.inventory), load: () => import('./stock/inventory.web.tsx') },
  { ...pageAt(nav.ownCatalogue), load: () => import('./catalogue/catalogue.web.tsx') },
  { ...pageAt(nav.ownPayments), load: () => import('./payments/charges.web.tsx') },
  {
    path: `${nav.ownPayments.path}/:id`,
    title: 'Payment',
    under: nav.ownPayments.path,
    valid: isRecord,
    load: () => import('./payments/charge.web.tsx'),
    ...OWN,
  },
  {
    path: '/invoice/subscription/:id',
    title: 'Subscription',
    under: nav.ownCustomers.path,
    valid: isRecord,
    load: () => import('./subscriptions/subscription.web.tsx'),
    ...OWN,
  },
  { ...pageAt(nav.ownApprovals), load: () => import('./approvals/approvals.web.tsx') },
  { ...pageAt(nav.ownLedger), load: () => import('./ledger/ledger.web.tsx') },
  {
    path: `${nav.ownLedger.path}/:id`,
    title: 'Movement of money',
    under: nav.ownLedger.path,
    valid: isRecord,
    load: () => import('./ledger/transaction.web.tsx'),
    ...OWN,
  },
  { ...pageAt(nav.ownSettings), load: () => import('./client-invoicing/settings.web.tsx') },
  { ...pageAt(nav.bills), load: () => import('./received-invoices/bills.web.tsx') },
]

const pages: readonly Page[] = [
  { ...pageAt(nav.customers), load: () => import('./customers/list.web.tsx') },
  {
    path: '/crm/customer/:id',
    title: 'Customer',
    under: nav.customers.path,
    valid: isRecord,
    load: withPanels('Customer', () => import('./customers/customer.web.tsx')),
    ...STAFF,
  },
  { ...pageAt(nav.ledger), load: () => import('./ledger/ledger.web.tsx') },
  {
    path: '/crm/ledger/:id',
    title: 'Movement of money',
    under: nav.ledger.path,
    valid: isRecord,
    allow: 'ROLE_FINANCE',
    load: () => import('./ledger/transaction.web.tsx'),
  },
  { ...pageAt(nav.debtors), load: () => import('./debtors/debtors.web.tsx') },
  { ...pageAt(nav.recurring), load: () => import('./recurring/recurring.web.tsx') },
  { ...pageAt(nav.renewals), load: () => import('./renewals/renewals.web.tsx') },
  { ...pageAt(nav.catalogue), load: () => import('./catalogue/catalogue.web.tsx') },
  { ...pageAt(nav.batch), load: () => import('./customers/batch.web.tsx') },
  { ...pageAt(nav.quotes), load: () => import('./quotes/list.web.tsx') },
  {
    path: '/crm/quote/:id?',
    title: 'Quote',
    begins: 'New quote',
    under: nav.quotes.path,
    valid: ({ id }) => id === undefined || readId(id) !== undefined,
    load: withPanels('Quote', () => import('./quote-builder/page.web.tsx')),
    ...STAFF,
  },
  { ...pageAt(nav.charges), load: () => import('./payments/charges.web.tsx') },
  {
    path: '/crm/charge/:id',
    title: 'Payment',
    under: nav.charges.path,
    valid: isRecord,
    load: () => import('./payments/charge.web.tsx'),
    ...STAFF,
  },
  { ...pageAt(nav.failedPayments), load: () => import('./dunning/list.web.tsx') },
  { ...pageAt(nav.bank), load: () => import('./bank/bank.web.tsx') },
  { ...pageAt(nav.refunds), load: () => import('./payments/refunds.web.tsx') },
  { ...pageAt(nav.approvals), load: () => import('./approvals/approvals.web.tsx') },
  { ...pageAt(nav.webhooks), load: () => import('./payments/webhooks.web.tsx') },
  { ...pageAt(nav.invoices), load: () => import('./invoices/list.web.tsx') },
  {
    path: '/crm/invoice/:id?',
    title: 'Invoice',
    begins: 'New invoice',
    under: nav.invoices.path,
    valid: ({ id }) => id === undefined || readId(id) !== undefined,
    load: withPanels('Invoice', () => import('./invoices/page.web.tsx')),
    ...STAFF,
  },
  {
    path: '/crm/contact/sale/:id?',
    title: 'Sell',
    begins: 'Sell to a lead',
    under: nav.quotes.path,
    valid: ({ id }) => id === undefined || readId(id) !== undefined,
    load: () => import('./quote-conversion/order.web.tsx'),
    ...STAFF,
  },
  { ...pageAt(nav.subscriptions), load: () => import('./subscriptions/list.web.tsx') },
  {
    path: '/crm/subscription/:id',
    title: 'Subscription',
    under: nav.subscriptions.path,
    valid: isRecord,
    load: () => import('./subscriptions/subscription.web.tsx'),
    ...STAFF,
  },
  { ...pageAt(nav.stock), load: () => import('./stock/inventory.web.tsx') },
  { ...pageAt(nav.settings), load: () => import('./client-invoicing/settings.web.tsx') },
  { ...pageAt(nav.billingRun), load: () => import('./subscriptions/billing-run.web.tsx') },
  {
    path: '/pay/:token',
    title: 'Pay your invoice',
    layout: 'blank',
    open: true,
    load: () => import('./pay-links/pay.web.tsx'),
  },
  {
    path: '/quote/:token',
    title: 'Your quote',
    layout: 'blank',
    open: true,
    load: () => import('./acceptance/acceptance.web.tsx'),
  },
]

export const billing: WebModule = {
  pages: [...pages, ...ownPages],
  finds: () => import('./finds.web.ts'),
  dashboard: () => import('./dashboard.web.tsx'),
  help: () => import('./help.web.ts'),
  panels: [
    panel<typeof contact>({ of: 'Contact', order: 10, load: () => import('./quote-conversion/selling.web.tsx') }),
    panel<typeof client>({ of: 'Client', order: 10, load: () => import('./customers/of-client.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 10, load: () => import('./quotes/of-customer.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 15, load: () => import('./statements/account.web.tsx') }),
    panel<typeof quote>({ of: 'Quote', order: 10, load: () => import('./quote-conversion/of-quote.web.tsx') }),
    panel<typeof invoice>({ of: 'Invoice', order: 10, load: () => import('./credits/credits.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 5, load: () => import('./subscriptions/of-customer.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 20, load: () => import('./cards/card.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 18, load: () => import('./payments/of-customer.web.tsx') }),
    panel<typeof customer>({ of: 'Customer', order: 16, load: () => import('./dunning/of-customer.web.tsx') }),
    panel<typeof invoice>({ of: 'Invoice', order: 7, load: () => import('./dunning/of-invoice.web.tsx') }),
    panel<typeof invoice>({ of: 'Invoice', order: 5, load: () => import('./payments/of-invoice.web.tsx') }),
  ],
}
