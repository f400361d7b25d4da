import { buildWebModule } from '#web/shell/manifest/module.ts'
import { countedSales } from './counted/screens.web.ts'
import { figures } from './figures/screens.web.ts'
import { marketing } from './marketing/screens.web.ts'

export const sales = buildWebModule([countedSales, figures, marketing, { help: () => import('./help.web.ts') }])
