import { joinFeatures } from '#server/engine/module.ts'
import { commissionFeature } from './commission/commission.server.ts'
import { countedSalesFeature } from './counted/routes.server.ts'
import { salesFiguresFeature } from './figures/numbers.server.ts'
import { liveFiguresFeature } from './live/board.server.ts'
import { marketingFeature } from './marketing/marketing.server.ts'
import { SALES_NAV } from './nav.ts'

export const salesModule = joinFeatures('sales', [
  { navigation: SALES_NAV, seeds: () => import('./demo.server.ts') },
  countedSalesFeature,
  commissionFeature,
  salesFiguresFeature,
  liveFiguresFeature,
  marketingFeature,
])
