import { buildWebModule } from '#web/shell/manifest/module.ts'
import { countedSaleScreens } from './counted/screens.web.ts'
import { salesFiguresScreens } from './figures/screens.web.ts'
import { marketingScreens } from './marketing/screens.web.ts'

export const salesWebModule = buildWebModule([
  countedSaleScreens,
  salesFiguresScreens,
  marketingScreens,
  { help: () => import('./help.web.ts') },
])
