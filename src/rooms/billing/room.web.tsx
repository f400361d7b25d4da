import { readId } from '#kernel/iri.ts'
import type { Page } from '#web/shell/pages/page.ts'

export const pages: readonly Page[] = [
  {
    path: '/crm/customers',
    title: 'Customers',
    allow: 'ROLE_STAFF',
    load: () => import('./customers/list.web.tsx'),
    nav: { area: 'Sales', icon: 'money', order: 2 },
  },
  {
    path: '/crm/customer/:id',
    title: 'Customer',
    allow: 'ROLE_STAFF',
    under: '/crm/customers',
    valid: ({ id }) => readId(id) !== undefined,
    load: () => import('./customer-page.web.tsx'),
  },
  {
    path: '/config/catalogue',
    title: 'Catalogue',
    allow: 'ROLE_STAFF',
    load: () => import('./catalogue/catalogue.web.tsx'),
    nav: { area: 'Settings', icon: 'folder', order: 4 },
  },
  {
    path: '/migration/customer',
    title: 'Customers for all clients',
    allow: 'ROLE_BILLING_ADMIN',
    load: () => import('./customers/batch.web.tsx'),
    nav: { area: 'Settings', icon: 'users', order: 5 },
  },
  {
    path: '/crm/quotes',
    title: 'Quotes',
    allow: 'ROLE_STAFF',
    load: () => import('./quotes/list.web.tsx'),
    nav: { area: 'Sales', icon: 'file', order: 4 },
  },
  {
    path: '/crm/quote/:id?',
    title: 'Quote',
    allow: 'ROLE_STAFF',
    under: '/crm/quotes',
    valid: ({ id }) => id === undefined || readId(id) !== undefined,
    load: () => import('./editing/page.web.tsx'),
  },
  {
    path: '/crm/contact/sale/:id?',
    title: 'New order',
    allow: 'ROLE_STAFF',
    under: '/crm/quotes',
    valid: ({ id }) => id === undefined || readId(id) !== undefined,
    load: () => import('./orders/order.web.tsx'),
  },
  {
    path: '/quote/:token',
    title: 'Your quote',
    layout: 'blank',
    open: true,
    load: () => import('./acceptance/acceptance.web.tsx'),
  },
]
