import { joinFeatures } from '#server/engine/module.ts'
import { commission } from './commission/commission.server.ts'
import { countedSales } from './counted/routes.server.ts'
import { figures } from './figures/numbers.server.ts'
import { live } from './live/board.server.ts'
import { marketingFeature } from './marketing/marketing.server.ts'
import { SALES_NAV } from './nav.ts'

export const sales = joinFeatures('sales', [
  { navigation: SALES_NAV, seeds: () => import('./demo.server.ts') },
  countedSales,
  commission,
  figures,
  live,
  marketingFeature,
])
