/** Reports that link to each other: name, path and title. */
export const REPORT_SCREENS = [
  { report: 'sale', path: '/cms/analysis/sale', title: 'Sales by kind' },
  { report: 'salesources', path: '/cms/analysis/salesources', title: 'Sales by source' },
  { report: 'sourcemoney', path: '/cms/analysis/salesources/money', title: 'Income and cost by source' },
  { report: 'roadmap', path: '/cms/analysis/roadmap', title: 'Coming weeks' },
  { report: 'web', path: '/cms/analysis/web', title: 'Website enquiries' },
  { report: 'comparison', path: '/cms/analysis/web/comparison', title: 'Period comparison' },
  { report: 'renewal', path: '/cms/analysis/renewal', title: 'Renewals by month' },
  { report: 'sale-to-renewal', path: '/cms/analysis/sale-to-renewal', title: 'From sale to renewal' },
] as const

export const SOURCE_COSTS_PATH = '/cms/analysis/costs'
