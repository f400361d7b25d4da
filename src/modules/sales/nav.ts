import type { Navigation } from '#kernel/navigation.ts'
import { MANAGE_SALES, MARKET, SEE_ALL, SELL } from './rights.ts'

const figures = { area: 'Figures' } as const
const sales = { area: 'Sales' } as const

export const nav = {
  management: { ...figures, path: '/cms/management', title: 'Today, live', icon: 'bell', order: 1, allow: SEE_ALL },
  bingo: { ...figures, path: '/cms/contact/bingo', title: 'Bingo', icon: 'point', order: 2, allow: SELL },
  statistics: { ...figures, path: '/cms/statistics', title: 'Statistics', icon: 'chart', order: 3, allow: SELL },
  report: { ...figures, path: '/cms/salesreport', title: 'Sales report', icon: 'clipboard', order: 5, allow: SELL },
  analysis: { ...figures, path: '/cms/analysis/sale', title: 'Analysis', icon: 'search', order: 6, allow: SEE_ALL },
  commission: { ...figures, path: '/cms/commission', title: 'My commission', icon: 'money', order: 7, allow: SELL },
  review: {
    ...figures,
    path: '/cms/commissionreview',
    title: 'Commission',
    icon: 'checklist',
    order: 8,
    allow: MANAGE_SALES,
  },
  checks: {
    ...figures,
    path: '/cms/salechecks',
    title: 'Sales to check',
    icon: 'check',
    order: 9,
    allow: MANAGE_SALES,
  },
  reminders: { ...sales, path: '/cms/reminders', title: 'Reminders', icon: 'bell', order: 1.5, allow: SELL },
  renewals: { ...sales, path: '/cms/renewals', title: 'Renewals due', icon: 'calendar', order: 4.6, allow: SELL },
  marketing: { area: 'Mail', path: '/cms/marketing', title: 'Mailing lists', icon: 'users', order: 20, allow: MARKET },
  daily: {
    area: 'Mail',
    path: '/marketing/daily-email/iso',
    title: 'Daily e-mail',
    icon: 'mail',
    order: 21,
    allow: MARKET,
  },
} satisfies Record<string, Navigation>
