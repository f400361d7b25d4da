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
  duplicates: {
    path: '/crm/duplicates',
    title: 'Duplicates',
    area: 'Sales',
    icon: 'users',
    order: 6,
    allow: 'ROLE_STAFF',
  },
  doNotCall: {
    path: '/crm/do-not-call',
    title: 'Do not call',
    area: 'Sales',
    icon: 'shield',
    order: 7,
    allow: 'ROLE_STAFF',
  },
  outcomes: {
    path: '/crm/outcomes',
    title: 'Outcomes of calls',
    area: 'Sales',
    icon: 'checklist',
    order: 20,
    allow: 'ROLE_LEADS_ADMIN',
  },
  staff: {
    path: '/staff',
    title: 'Staff and phone book',
    area: 'Home',
    icon: 'users',
    order: 6,
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
  },
} satisfies Record<string, Navigation>
