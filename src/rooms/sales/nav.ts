import type { Navigation } from '#kernel/navigation.ts'
import { SALE, SALE_SOURCES, STATISTICS } from './figures/report.ts'
import { MANAGE_SALES, SEE_ALL, SELL } from './rights.ts'

const sales = { area: 'Sales' } as const

export const nav = {
  report: { ...sales, path: '/cms/salesreport', title: 'Sales report', icon: 'money', order: 10, allow: SELL },
  statistics: { ...sales, path: STATISTICS.path, title: STATISTICS.title, icon: 'chart', order: 11, allow: SELL },
  commission: { ...sales, path: '/cms/commission', title: 'My commission', icon: 'money', order: 12, allow: SELL },
  checks: { ...sales, path: '/cms/salechecks', title: 'Sales to check', icon: 'check', order: 13, allow: MANAGE_SALES },
  review: {
    ...sales,
    path: '/cms/commissionreview',
    title: 'Commission',
    icon: 'checklist',
    order: 14,
    allow: MANAGE_SALES,
  },
  renewals: { ...sales, path: '/crm/renewals', title: 'Renewals', icon: 'calendar', order: 15, allow: SELL },
  kinds: { ...sales, path: SALE.path, title: SALE.title, icon: 'chart', order: 16, allow: SEE_ALL },
  sources: { ...sales, path: SALE_SOURCES.path, title: SALE_SOURCES.title, icon: 'chart', order: 17, allow: SEE_ALL },
} satisfies Record<string, Navigation>
