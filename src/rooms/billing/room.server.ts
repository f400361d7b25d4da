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
  ],
  behaviours: [...catalogueBehaviours, customerBehaviour, cardBehaviour, insuranceBehaviour, batchBehaviour],
  routes: [...billingRoutes, ...cardRoutes, ...batchRoutes, ...payPages],
  jobs: batchJobs,
}
