import type { NavigationEntry } from '#kernel/packs.ts'
import { MAILING_LIST_ROLES, SALES_MANAGER_ROLE, SEE_ALL_SALES_ROLES, SELLER_ROLE } from './rights.ts'

const figures = { area: 'Figures' } as const
const sales = { area: 'Sales' } as const

export const SALES_NAV = {
  management: {
    ...figures,
    path: '/cms/management',
    title: 'Live figures',
    icon: 'eye',
    order: 1,
    allow: SEE_ALL_SALES_ROLES,
  },
  bingo: { ...figures, path: '/cms/contact/bingo', title: 'Bingo', icon: 'point', order: 2, allow: SELLER_ROLE },
  statistics: { ...figures, path: '/cms/statistics', title: 'Statistics', icon: 'chart', order: 3, allow: SELLER_ROLE },
  report: {
    ...figures,
    path: '/cms/salesreport',
    title: 'Sales report',
    icon: 'clipboard',
    order: 5,
    allow: SELLER_ROLE,
  },
  analysis: {
    ...figures,
    path: '/cms/analysis/sale',
    title: 'Analysis',
    icon: 'search',
    order: 6,
    allow: SEE_ALL_SALES_ROLES,
  },
  commission: {
    ...figures,
    path: '/cms/commission',
    title: 'My commission',
    icon: 'money',
    order: 7,
    allow: SELLER_ROLE,
  },
  review: {
    ...figures,
    path: '/cms/commissionreview',
    title: 'Commission',
    icon: 'checklist',
    order: 8,
    allow: SALES_MANAGER_ROLE,
  },
  checks: {
    ...figures,
    path: '/cms/salechecks',
    title: 'Sales to check',
    icon: 'check',
    order: 9,
    allow: SALES_MANAGER_ROLE,
  },
  reminders: { ...sales, path: '/cms/reminders', title: 'Reminders', icon: 'calendar', order: 1.5, allow: SELLER_ROLE },
  renewals: {
    area: 'Finance',
    tabOf: '/crm/subscriptions',
    path: '/cms/renewals',
    title: 'Renewals due',
    icon: 'calendar',
    order: 6.2,
    allow: SELLER_ROLE,
  },
  marketing: {
    area: 'E-mail',
    path: '/cms/marketing',
    title: 'Mailing lists',
    icon: 'users',
    order: 20,
    allow: MAILING_LIST_ROLES,
  },
  daily: {
    area: 'E-mail',
    path: '/marketing/daily-email/iso',
    title: 'Daily e-mail',
    icon: 'calendar',
    order: 21,
    allow: MAILING_LIST_ROLES,
  },
} satisfies Record<string, NavigationEntry>
