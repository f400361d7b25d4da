import { LIST_ADDRESSES } from '#web/lists/addresses.ts'
import type { WebModule } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { ANALYSES, COSTS_PATH } from './figures/screens.ts'
import { nav } from './nav.ts'
import { SELL } from './rights.ts'

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

/** A report's screen: all reports are one file. */
const report = (name: string) => async () => {
  const { reportScreen } = await import('./figures/report.web.tsx')
  return { default: reportScreen(name) }
}

const pages: readonly Page[] = [
  { ...pageAt(nav.management), load: () => import('./live/management.web.tsx') },
  { ...pageAt(nav.bingo), load: () => import('./live/bingo.web.tsx') },
  { ...pageAt(nav.reminders), load: () => import('./reminders/reminders.web.tsx') },
  { ...pageAt(nav.report), load: () => import('./counted/list.web.tsx'), asks: [...LIST_ADDRESSES] },
  { ...pageAt(nav.checks), load: () => import('./counted/checks.web.tsx') },
  { ...pageAt(nav.renewals), load: () => import('./counted/renewals.web.tsx') },
  { ...pageAt(nav.commission), load: () => import('./commission/own.web.tsx') },
  { ...pageAt(nav.review), load: () => import('./commission/review.web.tsx') },
  {
    path: '/cms/commissionreview/makeup',
    title: 'Adjustments',
    under: nav.review.path,
    allow: nav.review.allow,
    load: () => import('./commission/makeup.web.tsx'),
  },
  to('/cms/commissionreview/old', nav.review),
  { ...pageAt(nav.statistics), load: report('statistics') },
  ...ANALYSES.map((one): Page => {
    const own = { path: one.path, title: one.title, allow: nav.analysis.allow, load: report(one.report) }
    return one.path === nav.analysis.path ? { ...own, nav: nav.analysis } : { ...own, under: nav.analysis.path }
  }),
  {
    path: '/cms/analysis/leads',
    title: 'New leads',
    under: nav.analysis.path,
    allow: nav.analysis.allow,
    load: () => import('./figures/leads.web.tsx'),
  },
  {
    path: COSTS_PATH,
    title: 'Costs of sources',
    under: nav.analysis.path,
    allow: nav.analysis.allow,
    load: () => import('./figures/costs.web.tsx'),
  },
  to('/cms/analysis/sale/bar', nav.analysis),
  to('/cms/analysis/sale/export', nav.analysis),
  { ...pageAt(nav.marketing), load: () => import('./marketing/marketing.web.tsx') },
  {
    path: '/cms/marketing/consents',
    title: 'Consents',
    under: nav.marketing.path,
    allow: SELL,
    load: () => import('./marketing/consents.web.tsx'),
  },
  { ...pageAt(nav.daily), load: () => import('./marketing/daily.web.tsx') },
  to('/cms/marketing/export', nav.marketing),
  to('/ConstantContact', nav.marketing),
  { path: '/cms', title: 'Figures', redirect: nav.statistics.path, allow: SELL },
]

export const sales: WebModule = { pages, help: () => import('./help.web.ts') }
