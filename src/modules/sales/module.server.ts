import type { Module } from '#server/engine/module.ts'
import { commissionBehaviours } from './commission/commission.server.ts'
import { commissionLine } from './commission/line.ts'
import { commissionMonth } from './commission/month.ts'
import { commissionRate } from './commission/rate.ts'
import { saleBehaviour } from './commission/sale.server.ts'
import { sumsRoute } from './commission/sums.server.ts'
import { foldWork, saleListeners } from './counted/count.server.ts'
import { countedSale } from './counted/counted-sale.ts'
import { saleRoutes } from './counted/routes.server.ts'
import { reportRoutes } from './figures/report.server.ts'
import { serviceRoutes } from './figures/service.server.ts'
import { sourceCost } from './figures/source-cost.ts'
import { liveRoutes } from './live/board.server.ts'
import { marketing } from './marketing/marketing.server.ts'
import { nav } from './nav.ts'

export const sales: Module = {
  name: 'sales',
  navigation: nav,
  resources: [countedSale, sourceCost, commissionRate, commissionMonth, commissionLine, ...marketing.resources],
  behaviours: [saleBehaviour, ...commissionBehaviours, ...marketing.behaviours],
  routes: [...saleRoutes, sumsRoute, ...serviceRoutes, ...reportRoutes, ...liveRoutes, ...marketing.routes],
  handlers: saleListeners,
  schedules: [foldWork, ...marketing.schedules],
  batchJobs: marketing.runs,
  demo: () => import('./demo.server.ts'),
}
