import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'
import { SELL } from '../rights.ts'

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

export const marketing = screens({
  pages: [
    { ...pageAt(nav.marketing), load: () => import('./marketing.web.tsx') },
    {
      path: '/cms/marketing/consents',
      title: 'Consents',
      under: nav.marketing.path,
      allow: SELL,
      load: () => import('./consents.web.tsx'),
    },
    { ...pageAt(nav.daily), load: () => import('./daily.web.tsx') },
    to('/cms/marketing/export', nav.marketing),
    to('/ConstantContact', nav.marketing),
  ],
})
