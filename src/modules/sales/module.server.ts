import { moduleOf } from '#server/engine/module.ts'
import { commission } from './commission/commission.server.ts'
import { countedSales } from './counted/routes.server.ts'
import { figures } from './figures/numbers.server.ts'
import { live } from './live/board.server.ts'
import { marketingParts } from './marketing/marketing.server.ts'
import { SALES_NAV } from './nav.ts'

export const sales = moduleOf('sales', [
  { navigation: SALES_NAV, seeds: () => import('./demo.server.ts') },
  countedSales,
  commission,
  figures,
  live,
  marketingParts,
])
