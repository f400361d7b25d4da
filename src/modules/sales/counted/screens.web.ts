import { LIST_SETTING_URLS } from '#web/lists/addresses.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { SALES_NAV } from '../nav.ts'

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

export const countedSaleScreens = screens({
  pages: [
    { ...pageFromNavigation(SALES_NAV.management), load: () => import('../live/management.web.tsx') },
    { ...pageFromNavigation(SALES_NAV.bingo), load: () => import('../live/bingo.web.tsx') },
    { ...pageFromNavigation(SALES_NAV.reminders), load: () => import('../reminders/reminders.web.tsx') },
    { ...pageFromNavigation(SALES_NAV.report), load: () => import('./list.web.tsx'), asks: [...LIST_SETTING_URLS] },
    { ...pageFromNavigation(SALES_NAV.checks), load: () => import('./checks.web.tsx') },
    { ...pageFromNavigation(SALES_NAV.renewals), load: () => import('./renewals.web.tsx') },
    { ...pageFromNavigation(SALES_NAV.commission), load: () => import('../commission/own.web.tsx') },
    { ...pageFromNavigation(SALES_NAV.review), load: () => import('../commission/review.web.tsx') },
    {
      path: '/cms/commissionreview/makeup',
      title: 'Adjustments',
      under: SALES_NAV.review.path,
      allow: SALES_NAV.review.allow,
      load: () => import('../commission/adjustments.web.tsx'),
    },
    to('/cms/commissionreview/old', SALES_NAV.review),
  ],
})
