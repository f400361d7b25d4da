import { LIST_ASKS } from '#web/lists/asks.ts'
import { type Page, pageAt } from '#web/shell/faces/page.ts'
import type { RoomWeb } from '#web/shell/faces/room.ts'
import { nav } from './nav.ts'

const to = (path: string, title: string, redirect: string, allow: Page['allow']): Page => ({
  path,
  title,
  redirect,
  allow,
})

const pages: readonly Page[] = [
  { ...pageAt(nav.report), load: () => import('./counted/list.web.tsx'), asks: [...LIST_ASKS] },
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
  to('/cms/commissionreview/old', nav.review.title, nav.review.path, nav.review.allow),
  { ...pageAt(nav.statistics), load: () => import('./figures/statistics.web.tsx') },
  { ...pageAt(nav.kinds), load: () => import('./figures/sale.web.tsx') },
  to('/cms/analysis/sale/bar', nav.kinds.title, nav.kinds.path, nav.kinds.allow),
  to('/cms/analysis/sale/export', nav.kinds.title, nav.kinds.path, nav.kinds.allow),
  { ...pageAt(nav.sources), load: () => import('./figures/sale-sources.web.tsx') },
]

export const sales: RoomWeb = { pages, help: () => import('./help.web.ts') }
