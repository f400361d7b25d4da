import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { SALES_NAV } from '../nav.ts'
import { SELLER_ROLE } from '../rights.ts'
import { REPORT_SCREENS, SOURCE_COSTS_PATH } from './screens.ts'

/** Returns a function that loads a report's screen. All reports share one file. */
const report = (name: string) => async () => {
  const { createReportScreen: reportScreen } = await import('./report.web.tsx')
  return { default: reportScreen(name) }
}

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

export const salesFiguresScreens = screens({
  pages: [
    { ...pageFromNavigation(SALES_NAV.statistics), load: report('statistics') },
    ...REPORT_SCREENS.map((one): Page => {
      const own = { path: one.path, title: one.title, allow: SALES_NAV.analysis.allow, load: report(one.report) }
      return one.path === SALES_NAV.analysis.path
        ? { ...own, nav: SALES_NAV.analysis }
        : { ...own, under: SALES_NAV.analysis.path }
    }),
    {
      path: '/cms/analysis/leads',
      title: 'New leads',
      under: SALES_NAV.analysis.path,
      allow: SALES_NAV.analysis.allow,
      load: () => import('./leads.web.tsx'),
    },
    {
      path: SOURCE_COSTS_PATH,
      title: 'Source costs',
      under: SALES_NAV.analysis.path,
      allow: SALES_NAV.analysis.allow,
      load: () => import('./costs.web.tsx'),
    },
    to('/cms/analysis/sale/bar', SALES_NAV.analysis),
    to('/cms/analysis/sale/export', SALES_NAV.analysis),
    { path: '/cms', title: 'Figures', redirect: SALES_NAV.statistics.path, allow: SELLER_ROLE },
  ],
})
