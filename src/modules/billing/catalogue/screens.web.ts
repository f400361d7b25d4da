import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { nav } from '../nav.ts'

export const catalogue = screens({
  pages: [
    { ...pageAt(nav.inventory), load: () => import('../stock/inventory.web.tsx') },
    { ...pageAt(nav.ownCatalogue), load: () => import('./catalogue.web.tsx') },
    { ...pageAt(nav.catalogue), load: () => import('./catalogue.web.tsx') },
    { ...pageAt(nav.stock), load: () => import('../stock/inventory.web.tsx') },
  ],
})
