/** Lists of leads by last result, in tab order (specification, section 3). */
export const CATEGORY_WORDS = {
  NEW: 'New',
  PFP: 'Pitched for pack',
  DOWNL: 'Downloads',
  DEMO: 'Demos',
  CB: 'Call back',
  QUOTE: 'Quotes',
} as const

export type Category = keyof typeof CATEGORY_WORDS
export const CATEGORIES = Object.keys(CATEGORY_WORDS) as readonly Category[]

/** Categories of a result: a list, or none. */
export const CATEGORY_OPTIONS = [
  { value: 'NEW', label: CATEGORY_WORDS.NEW },
  { value: 'PFP', label: CATEGORY_WORDS.PFP },
  { value: 'DOWNL', label: CATEGORY_WORDS.DOWNL },
  { value: 'DEMO', label: CATEGORY_WORDS.DEMO },
  { value: 'CB', label: CATEGORY_WORDS.CB },
  { value: 'QUOTE', label: CATEGORY_WORDS.QUOTE },
  { value: 'DEAD', label: 'In no list: do not call' },
  { value: 'NOTE', label: 'In no list: note only' },
] as const
