/**
 * Why a number must be screened before it is rung; `undefined` where it may be. The registers are of numbers in the United Kingdom: a number
 * counts as registered from 28 days after it was put on (SI 2003/2426, regulation 21(3)), so that a screening holds for as long, and the
 * number is locked from the day after. Days in London.
 */
export function lockedSince(
  number: string,
  screenedOn: string | undefined,
  days: number,
  today: Temporal.PlainDate,
): string | undefined {
  if (!number.startsWith('+44')) return undefined
  if (!screenedOn) return 'This number was never screened with the TPS and CTPS'
  const ago = Temporal.PlainDate.from(screenedOn).until(today, { largestUnit: 'days' }).days
  return ago > days ? `This number was last screened ${ago} days ago` : undefined
}
