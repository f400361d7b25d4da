import { LIST_ASKS } from '#web/lists/asks.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

export const countedSales = screens({
  pages: [
    { ...pageAt(nav.management), load: () => import('../live/management.web.tsx') },
    { ...pageAt(nav.bingo), load: () => import('../live/bingo.web.tsx') },
    { ...pageAt(nav.reminders), load: () => import('../reminders/reminders.web.tsx') },
    { ...pageAt(nav.report), load: () => import('./list.web.tsx'), asks: [...LIST_ASKS] },
    { ...pageAt(nav.checks), load: () => import('./checks.web.tsx') },
    { ...pageAt(nav.renewals), load: () => import('./renewals.web.tsx') },
    { ...pageAt(nav.commission), load: () => import('../commission/own.web.tsx') },
    { ...pageAt(nav.review), load: () => import('../commission/review.web.tsx') },
    {
      path: '/cms/commissionreview/makeup',
      title: 'Adjustments',
      under: nav.review.path,
      allow: nav.review.allow,
      load: () => import('../commission/makeup.web.tsx'),
    },
    to('/cms/commissionreview/old', nav.review),
  ],
})
