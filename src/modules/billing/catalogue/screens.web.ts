import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { billingNav } from '../nav.ts'

export const catalogue = screens({
  pages: [
    { ...pageFromNavigation(billingNav.inventory), load: () => import('../stock/inventory.web.tsx') },
    { ...pageFromNavigation(billingNav.ownCatalogue), load: () => import('./catalogue.web.tsx') },
    { ...pageFromNavigation(billingNav.catalogue), load: () => import('./catalogue.web.tsx') },
    { ...pageFromNavigation(billingNav.stock), load: () => import('../stock/inventory.web.tsx') },
  ],
})
