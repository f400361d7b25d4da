import type { contact } from '#modules/crm/contacts/contact.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import { SALES_NAV } from '../nav.ts'
import { SELLER_ROLE } from '../rights.ts'

const to = (path: string, { title, path: redirect, allow }: Pick<Page, 'title' | 'path' | 'allow'>): Page => ({
  path,
  title,
  redirect,
  allow,
})

export const marketingScreens = screens({
  pages: [
    { ...pageFromNavigation(SALES_NAV.marketing), load: () => import('./marketing.web.tsx') },
    {
      path: '/cms/marketing/consents',
      title: 'Consents',
      under: SALES_NAV.marketing.path,
      allow: SELLER_ROLE,
      load: () => import('./consents.web.tsx'),
    },
    { ...pageFromNavigation(SALES_NAV.daily), load: () => import('./daily.web.tsx') },
    to('/cms/marketing/export', SALES_NAV.marketing),
    to('/ConstantContact', SALES_NAV.marketing),
  ],
  panels: [recordPanel<typeof contact>({ of: 'Contact', order: 30, load: () => import('./of-lead.web.tsx') })],
})
