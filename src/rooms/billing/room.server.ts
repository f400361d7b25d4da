import type { Room } from '#server/behaviour.ts'
import { billingRoutes } from './billing-routes.server.ts'
import { card } from './card.ts'
import { cardRoutes } from './card-routes.server.ts'
import { cardBehaviour } from './cards.server.ts'
import { catalogueBehaviours } from './catalogue.server.ts'
import { coupon } from './coupon.ts'
import { customerBehaviour } from './customer.server.ts'
import { customer } from './customer.ts'
import { batchBehaviour, batchJobs, batchRoutes } from './customer-batch.server.ts'
import { customerBatch, customerBatchLine } from './customerBatch.ts'
import { insuranceBehaviour } from './insuranceSale.server.ts'
import { insuranceSale } from './insuranceSale.ts'
import { payPages } from './pay-page.server.ts'
import { plan, price, sku } from './plan.ts'
import { billingApplication, product } from './product.ts'
import { quoteBehaviour } from './quote.server.ts'
import { quote, quoteLine } from './quote.ts'
import { quoteJobs } from './quote-jobs.server.ts'
import { quoteRoutes } from './quote-routes.server.ts'
import { quoteStatus } from './quote-status.ts'
import { quoteSettings } from './quoteSettings.ts'
import { taxRate } from './taxRate.ts'

export const billing: Room = {
  name: 'billing',
  resources: [
    customer,
    product,
    billingApplication,
    plan,
    sku,
    price,
    coupon,
    taxRate,
    card,
    insuranceSale,
    customerBatch,
    customerBatchLine,
    quote,
    quoteLine,
    quoteStatus,
    quoteSettings,
  ],
  behaviours: [
    ...catalogueBehaviours,
    customerBehaviour,
    cardBehaviour,
    insuranceBehaviour,
    batchBehaviour,
    quoteBehaviour,
  ],
  routes: [...billingRoutes, ...cardRoutes, ...batchRoutes, ...payPages, ...quoteRoutes],
  jobs: [...batchJobs, ...quoteJobs],
}
