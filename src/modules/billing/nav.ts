import type { NavigationEntry } from '#kernel/packs.ts'
import { RECEIVED_INVOICE_PAYER_ROLE } from './received-invoices/bill.ts'
import { INVOICING_FINANCE_ROLE, INVOICING_PACK, INVOICING_ROLES } from './rights.ts'

const sales = { area: 'Sales', allow: 'ROLE_STAFF' } as const
const finance = { area: 'Finance', allow: 'ROLE_FINANCE' } as const
const staffFinance = { area: 'Finance', allow: 'ROLE_STAFF' } as const
const own = { area: 'Invoicing', allow: INVOICING_ROLES, pack: INVOICING_PACK } as const
const ownFinance = { ...own, allow: INVOICING_FINANCE_ROLE } as const

const ofPayments = { tabOf: '/crm/charges' } as const
const ofSubscriptions = { tabOf: '/crm/subscriptions' } as const
const ofSettings = { tabOf: '/config/invoicing' } as const

export const billingNav = {
  quotes: { ...sales, path: '/crm/quotes', title: 'Quotes', icon: 'file', order: 2 },
  customers: { ...sales, path: '/crm/customers', title: 'Customers', icon: 'users', order: 3 },
  overview: { ...finance, path: '/crm/finance', title: 'Overview', icon: 'chart', order: 1 },
  invoices: { ...staffFinance, path: '/crm/invoices', title: 'Invoices', icon: 'receipt', order: 2 },
  overdue: { ...finance, path: '/crm/overdue', title: 'Overdue', icon: 'alert', order: 3 },
  debtors: {
    ...finance,
    tabOf: '/crm/overdue',
    path: '/crm/debtors',
    title: 'Aged debtors',
    icon: 'chart',
    order: 3.1,
  },
  charges: { ...staffFinance, path: '/crm/charges', title: 'Payments', icon: 'card', order: 4 },
  refunds: { ...staffFinance, ...ofPayments, path: '/crm/refunds', title: 'Refunds', icon: 'card', order: 4.1 },
  approvals: { ...finance, ...ofPayments, path: '/crm/approvals', title: 'Approvals', icon: 'check', order: 4.2 },
  webhooks: { ...finance, ...ofPayments, path: '/crm/webhook', title: 'Payment events', icon: 'bell', order: 4.3 },
  bank: { ...finance, path: '/crm/bank', title: 'Bank', icon: 'bank', order: 5 },
  subscriptions: { ...staffFinance, path: '/crm/subscriptions', title: 'Subscriptions', icon: 'repeat', order: 6 },
  renewals: {
    ...staffFinance,
    ...ofSubscriptions,
    path: '/crm/renewals',
    title: 'Renewals',
    icon: 'calendar',
    order: 6.1,
  },
  billingRun: {
    ...staffFinance,
    ...ofSubscriptions,
    path: '/crm/billing-run',
    title: 'Billing run',
    icon: 'checklist',
    order: 6.3,
  },
  recurring: {
    ...finance,
    ...ofSubscriptions,
    path: '/crm/recurring',
    title: 'Recurring revenue',
    icon: 'chart',
    order: 6.4,
  },
  vat: { ...finance, path: '/crm/vat', title: 'VAT returns', icon: 'percent', order: 7 },
  ledger: { ...finance, path: '/crm/ledger', title: 'Ledger', icon: 'book', order: 8 },
  settings: {
    area: 'Finance',
    path: '/config/invoicing',
    title: 'Invoice settings',
    icon: 'settings',
    order: 9,
    allow: 'ROLE_BILLING_ADMIN',
  },
  catalogue: {
    ...staffFinance,
    ...ofSettings,
    path: '/config/catalogue',
    title: 'Catalogue',
    icon: 'folder',
    order: 9.1,
  },
  stock: { ...staffFinance, ...ofSettings, path: '/config/inventory', title: 'Inventory', icon: 'folder', order: 9.2 },
  batch: {
    ...ofSettings,
    area: 'Finance',
    path: '/migration/customer',
    title: 'Create customers for clients',
    icon: 'users',
    order: 9.3,
    allow: 'ROLE_BILLING_ADMIN',
  },
  ownInvoices: { ...own, path: '/invoice', title: 'Invoices', icon: 'receipt', order: 1 },
  ownOverdue: { ...own, path: '/invoice/overdue', title: 'Overdue', icon: 'alert', order: 1.5 },
  ownQuotes: { ...own, path: '/invoice/quote', title: 'Quotes', icon: 'file', order: 2 },
  ownCustomers: { ...own, path: '/invoice/customer', title: 'Customers', icon: 'users', order: 3 },
  ownCatalogue: { ...own, path: '/invoice/catalogue', title: 'Catalogue', icon: 'folder', order: 4 },
  inventory: {
    ...own,
    tabOf: '/invoice/catalogue',
    path: '/invoice/inventory',
    title: 'Inventory',
    icon: 'folder',
    order: 4.1,
  },
  ownPayments: { ...own, path: '/invoice/payment', title: 'Payments', icon: 'card', order: 6 },
  ownApprovals: {
    ...ownFinance,
    tabOf: '/invoice/payment',
    path: '/invoice/approvals',
    title: 'Approvals',
    icon: 'check',
    order: 6.1,
  },
  ownLedger: { ...ownFinance, path: '/invoice/ledger', title: 'Ledger', icon: 'book', order: 7 },
  ownVat: {
    ...ownFinance,
    tabOf: '/invoice/ledger',
    path: '/invoice/vat',
    title: 'VAT returns',
    icon: 'percent',
    order: 7.5,
  },
  ownSettings: { ...ownFinance, path: '/invoice/settings', title: 'Invoice settings', icon: 'settings', order: 8 },
  bills: {
    path: '/invoice/received',
    title: 'Invoices to pay',
    area: 'Invoicing',
    icon: 'download',
    order: 9,
    allow: RECEIVED_INVOICE_PAYER_ROLE,
  },
} satisfies Record<string, NavigationEntry>
