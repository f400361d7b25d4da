import { roundHalfUp } from '../money.ts'

/**
 * Returns the price of some days of a period from the price of the full period, in pence, half rounded away from zero.
 * It uses full days, so that customers can check it.
 */
export const prorate = (amount: bigint, days: number, ofDays: number): bigint =>
  roundHalfUp(amount * BigInt(days), BigInt(ofDays))

/**
 * Returns the price of the next instalment: the cumulative share after `done` of `whole` parts, less `settled`, the
 * amount already charged. Instalments always add up to the total, to the penny.
 */
export const nextInstalment = (amount: bigint, done: bigint, whole: bigint, settled: bigint): bigint =>
  roundHalfUp(amount * done, whole) - settled
