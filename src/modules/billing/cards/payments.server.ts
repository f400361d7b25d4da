import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import type { PaymentGateway } from './gateway.server.ts'
import { testGateway } from './test-gateway.server.ts'

const gateways = new WeakMap<Engine, PaymentGateway>()

/**
 * Returns the configured payment service: Stripe if its keys are set; the built-in test gateway in a demo or test
 * installation. Throws 409 elsewhere: a live portal never takes cards that move no money.
 */
export async function paymentGateway(engine: Engine): Promise<PaymentGateway> {
  const known = gateways.get(engine) ?? (await open(engine))
  if (!known) throw problem.conflict(NONE, 'no_gateway')
  gateways.set(engine, known)
  return known
}

const NONE =
  'No payment service is configured, so cards can’t be taken. Ask an administrator to set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY.'

async function open(engine: Engine): Promise<PaymentGateway | undefined> {
  if (engine.config.stripe) return (await import('./stripe.server.ts')).stripeGateway(engine.config.stripe)
  return (await isTrial(engine)) ? testGateway(engine.db) : undefined
}

/** True for a demo or test installation: its clock can be moved. */
const isTrial = async (engine: Engine): Promise<boolean> =>
  (await engine.db.tx('system', (tx) => tx.rows('SELECT 1 FROM clock'))).length > 0
