import { roundHalfUp } from '../money.ts'

/**
 * What so many days of a period come to, of what the whole of it costs: pence, a half away from nil. By whole days, so that anybody can
 * work it out again.
 */
export const prorate = (amount: bigint, days: number, ofDays: number): bigint =>
  roundHalfUp(amount * BigInt(days), BigInt(ofDays))

/**
 * What a further part of something comes to, once `done` of `whole` parts come to `settled` already: the share of all parts so far, less what
 * was settled. Parts that are worked out so sum to the whole to the penny, however they are cut.
 */
export const nextShare = (amount: bigint, done: bigint, whole: bigint, settled: bigint): bigint =>
  roundHalfUp(amount * done, whole) - settled
