import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'
import { SELL } from '../rights.ts'
import { ANALYSES, COSTS_PATH } from './screens.ts'

/** Loads a report's screen: all reports share one file. */
const report = (name: string) => async () => {
  const { reportScreen } = await import('./report.web.tsx')
  return { default: reportScreen(name) }
}

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

export const figures = screens({
  pages: [
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
      load: () => import('./leads.web.tsx'),
    },
    {
      path: COSTS_PATH,
      title: 'Source costs',
      under: nav.analysis.path,
      allow: nav.analysis.allow,
      load: () => import('./costs.web.tsx'),
    },
    to('/cms/analysis/sale/bar', nav.analysis),
    to('/cms/analysis/sale/export', nav.analysis),
    { path: '/cms', title: 'Figures', redirect: nav.statistics.path, allow: SELL },
  ],
})
