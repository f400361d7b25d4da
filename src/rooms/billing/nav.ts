import type { Navigation } from '#kernel/navigation.ts'

export const nav = {
  customers: {
    path: '/crm/customers',
    title: 'Customers',
    area: 'Sales',
    icon: 'money',
    order: 2,
    allow: 'ROLE_STAFF',
  },
  quotes: { path: '/crm/quotes', title: 'Quotes', area: 'Sales', icon: 'file', order: 4, allow: 'ROLE_STAFF' },
  invoices: { path: '/crm/invoices', title: 'Invoices', area: 'Sales', icon: 'money', order: 5, allow: 'ROLE_STAFF' },
  charges: { path: '/crm/charges', title: 'Payments', area: 'Sales', icon: 'money', order: 5.2, allow: 'ROLE_STAFF' },
  refunds: { path: '/crm/refunds', title: 'Refunds', area: 'Sales', icon: 'money', order: 5.4, allow: 'ROLE_STAFF' },
  webhooks: {
    path: '/crm/webhook',
    title: 'Payment events',
    area: 'Settings',
    icon: 'bell',
    order: 5.5,
    allow: 'ROLE_FINANCE',
  },
  ledger: {
    path: '/crm/ledger',
    title: 'Ledger',
    area: 'Sales',
    icon: 'money',
    order: 6,
    allow: 'ROLE_FINANCE',
  },
  catalogue: {
    path: '/config/catalogue',
    title: 'Catalogue',
    area: 'Settings',
    icon: 'folder',
    order: 4,
    allow: 'ROLE_STAFF',
  },
  batch: {
    path: '/migration/customer',
    title: 'Customers for all clients',
    area: 'Settings',
    icon: 'users',
    order: 5,
    allow: 'ROLE_BILLING_ADMIN',
  },
} satisfies Record<string, Navigation>
