import type { Pack } from '#kernel/packs.ts'
import type { Roles } from '#kernel/roles.ts'
import { READERS } from '#rooms/documents/kinds/kind.ts'

/** A screen in the navigation: its address, where it stands, and who may open it. */
export interface Navigation {
  readonly path: string
  readonly title: string
  readonly area: string
  readonly icon: string
  readonly order: number
  readonly allow: Roles
  readonly pack?: Pack
}

const ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const

/** Every built screen that has a place in the navigation. A screen that isn't built is not here. */
export const navigations: readonly Navigation[] = [
  { path: '/dashboard', title: 'Dashboard', area: 'Home', icon: 'home', order: 1, allow: 'member' },
  { path: '/profile', title: 'My profile', area: 'Home', icon: 'user', order: 2, allow: 'member' },
  { path: '/help', title: 'Help', area: 'Home', icon: 'help', order: 3, allow: 'member' },
  { path: '/about', title: 'About', area: 'Home', icon: 'info', order: 4, allow: 'member' },
  { path: '/crm/contact/list', title: 'Leads', area: 'Sales', icon: 'phone', order: 1, allow: 'ROLE_STAFF' },
  { path: '/crm/quotes', title: 'Quotes', area: 'Sales', icon: 'file', order: 4, allow: 'ROLE_STAFF' },
  { path: '/crm/customers', title: 'Customers', area: 'Sales', icon: 'money', order: 2, allow: 'ROLE_STAFF' },
  {
    path: '/crm/contact/import',
    title: 'Import leads',
    area: 'Sales',
    icon: 'upload',
    order: 3,
    allow: 'ROLE_LEADS_ADMIN',
  },
  {
    path: '/staff',
    title: 'Staff and phone book',
    area: 'Home',
    icon: 'users',
    order: 3,
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
  },
  {
    path: '/safety/risk-assessment',
    title: 'Risk assessments',
    area: 'Safety',
    icon: 'alert',
    order: 1,
    allow: READERS,
    pack: 'safety',
  },
  {
    path: '/safety/toolbox-talks',
    title: 'Toolbox talks',
    area: 'Safety',
    icon: 'users',
    order: 2,
    allow: READERS,
    pack: 'safety',
  },
  {
    path: '/safety/toolbox-talks/presented',
    title: 'Talks presented',
    area: 'Safety',
    icon: 'checklist',
    order: 3,
    allow: READERS,
    pack: 'safety',
  },
  { path: '/cms/clients', title: 'Clients', area: 'Clients', icon: 'building', order: 1, allow: 'ROLE_STAFF' },
  { path: '/config/users', title: 'Users', area: 'Settings', icon: 'users', order: 1, allow: ADMINS },
  { path: '/config/roles', title: 'Roles', area: 'Settings', icon: 'shield', order: 2, allow: 'ROLE_ROLES_ADMIN' },
  { path: '/config/catalogue', title: 'Catalogue', area: 'Settings', icon: 'folder', order: 4, allow: 'ROLE_STAFF' },
  {
    path: '/migration/customer',
    title: 'Customers for all clients',
    area: 'Settings',
    icon: 'users',
    order: 5,
    allow: 'ROLE_BILLING_ADMIN',
  },
  { path: '/config/visits', title: 'Who came in', area: 'Settings', icon: 'eye', order: 3, allow: ADMINS },
  {
    path: '/safety/library',
    title: 'Hazard library',
    area: 'Safety',
    icon: 'shield',
    order: 9,
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'],
  },
  {
    path: '/sfp/file-manager',
    title: 'File manager',
    area: 'Safety',
    icon: 'folder',
    order: 8,
    allow: ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE', 'ROLE_STAFF'],
  },
]
