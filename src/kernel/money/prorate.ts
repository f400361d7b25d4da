import { roundHalfUp } from '../money.ts'

/**
 * Returns the price of some days of a period, from the price of the whole: pence, half rounded away from zero. By whole
 * days, so that customers can check it.
 */
export const prorate = (amount: bigint, days: number, ofDays: number): bigint =>
  roundHalfUp(amount * BigInt(days), BigInt(ofDays))

/**
 * Returns the price of a further part, when `done` of `whole` parts are charged so far including this one and `settled`
 * has been charged before: the share of all parts so far, less what has been charged. Such parts sum to the whole to
 * the penny, however it is divided.
 */
export const nextShare = (amount: bigint, done: bigint, whole: bigint, settled: bigint): bigint =>
  roundHalfUp(amount * done, whole) - settled
