export const CONGRATULATION_TITLES = [
  'Well done!',
  'Sold!',
  'That’s a sale!',
  'Splendid!',
  'Good call!',
  'Bravo!',
] as const

export const CONGRATULATION_MESSAGES = [
  'One more company in good hands.',
  'They said yes, and you made the call.',
  'That was worth every call before it.',
  'Take a breath, have a tea, then call the next one.',
  'Somebody will work more safely because you called.',
  'Go and ring the sales bell.',
] as const

/** Picks an item, using a random number from 0 (inclusive) to 1 (exclusive). */
export const pickRandom = <T>(all: readonly [T, ...T[]], random: number): T =>
  all[Math.min(all.length - 1, Math.floor(random * all.length))] ?? all[0]
