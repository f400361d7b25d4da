import { roundHalfUp } from '../money.ts'

/**
 * Returns the price for some days of a period, in pence, from the price for the full period. A half is rounded away
 * from zero. Full days are used, so that customers can check the price.
 */
export const prorate = (amount: bigint, days: number, ofDays: number): bigint =>
  roundHalfUp(amount * BigInt(days), BigInt(ofDays))

/**
 * Returns the price of the next instalment: the cumulative share for `done` of `whole` parts, less `settled`, the
 * amount already charged. Instalments always add up to the total, to the penny.
 */
export const nextInstalment = (amount: bigint, done: bigint, whole: bigint, settled: bigint): bigint =>
  roundHalfUp(amount * done, whole) - settled
