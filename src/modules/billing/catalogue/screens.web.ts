import { screens } from '#web/shell/manifest/module.ts'
import { pageAt } from '#web/shell/manifest/page.ts'
import { billingNav } from '../nav.ts'

export const catalogue = screens({
  pages: [
    { ...pageAt(billingNav.inventory), load: () => import('../stock/inventory.web.tsx') },
    { ...pageAt(billingNav.ownCatalogue), load: () => import('./catalogue.web.tsx') },
    { ...pageAt(billingNav.catalogue), load: () => import('./catalogue.web.tsx') },
    { ...pageAt(billingNav.stock), load: () => import('../stock/inventory.web.tsx') },
  ],
})
