import type { Page } from '#web/shell/pages/page.ts'

const STAFF = { allow: 'ROLE_STAFF' } as const
const LIST = '/crm/contact/list'
const VIEW = '/crm/contact/view/:id?'
const moved = (path: string, redirect: string): Page => ({ path, title: 'Leads', redirect, ...STAFF })

export const pages: readonly Page[] = [
  {
    path: LIST,
    title: 'Leads',
    load: () => import('./leads/list.web.tsx'),
    nav: { area: 'Sales', icon: 'phone', order: 1 },
    ...STAFF,
  },
  { path: VIEW, title: 'Lead', under: LIST, load: () => import('./calling/view.web.tsx'), ...STAFF },
  {
    path: '/cms/contact/create',
    title: 'New lead',
    under: LIST,
    load: () => import('./leads/create.web.tsx'),
    ...STAFF,
  },
  {
    path: '/crm/contact/import',
    title: 'Import leads',
    load: () => import('./imports/import.web.tsx'),
    nav: { area: 'Sales', icon: 'upload', order: 3 },
    allow: 'ROLE_LEADS_ADMIN',
  },
  moved('/Leads', LIST),
  moved('/cms/contact/search', LIST),
  moved('/cms/contact/view/:id?', VIEW),
  // The former screens were `show` and `show` with something behind it.
  {
    ...moved('/cms/contact/:show/:id?', VIEW),
    valid: ({ show, id }) => /^show\w*$/.test(show ?? '') && (id === undefined || /^\d+$/.test(id)),
  },
  {
    path: '/staff/:username?',
    title: 'Staff',
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    valid: ({ username }) => username === undefined || /^[\w.@-]{1,100}$/.test(username),
    load: () => import('./staff/staff.web.tsx'),
    nav: { area: 'Home', icon: 'users', order: 3, label: 'Staff and phone book' },
  },
]
