import type { Engine } from '#server/engine/engine.ts'
import type { PaymentGateway } from './gateway.server.ts'
import { testGateway } from './test-gateway.server.ts'

const gateways = new WeakMap<Engine, Promise<PaymentGateway>>()

/** The configured gateway: Stripe where its keys are set, else the test gateway of this server. */
export function paymentGateway(engine: Engine): Promise<PaymentGateway> {
  const known = gateways.get(engine) ?? open(engine)
  gateways.set(engine, known)
  return known
}

const open = async (engine: Engine): Promise<PaymentGateway> =>
  engine.config.stripe
    ? (await import('./stripe.server.ts')).stripeGateway(engine.config.stripe)
    : testGateway(engine.db)
