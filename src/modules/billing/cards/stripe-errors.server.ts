import Stripe from 'stripe'
import { GatewayError } from './gateway.server.ts'

/** Calls Stripe. Refusals keep Stripe's message; configuration and connection errors get ours. */
export async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (e) {
    if (e instanceof Stripe.errors.StripeAuthenticationError || e instanceof Stripe.errors.StripePermissionError)
      throw new GatewayError('The payment service does not accept our key. Please contact an administrator.', 502)
    if (e instanceof Stripe.errors.StripeConnectionError)
      throw new GatewayError('The payment service is not available. Please try again.', 502, { inDoubt: true })
    if (e instanceof Stripe.errors.StripeError) {
      const isOurs = (e.statusCode ?? 500) < 500
      // The same order is in progress there: its outcome is unknown.
      const inDoubt = !isOurs || e instanceof Stripe.errors.StripeIdempotencyError || e.statusCode === 409
      throw new GatewayError(e.message, isOurs ? 422 : 502, { inDoubt })
    }
    throw e
  }
}
