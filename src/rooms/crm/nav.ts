import type { Navigation } from '#kernel/navigation.ts'

export const nav = {
  leads: { path: '/crm/contact/list', title: 'Leads', area: 'Sales', icon: 'phone', order: 1, allow: 'ROLE_STAFF' },
  imports: {
    path: '/crm/contact/import',
    title: 'Import leads',
    area: 'Sales',
    icon: 'upload',
    order: 3,
    allow: 'ROLE_LEADS_ADMIN',
  },
  calls: { path: '/crm/calls', title: 'Calls', area: 'Sales', icon: 'chart', order: 5, allow: 'ROLE_STAFF' },
  staff: {
    path: '/staff',
    title: 'Staff and phone book',
    area: 'Home',
    icon: 'users',
    order: 6,
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
  },
} satisfies Record<string, Navigation>
