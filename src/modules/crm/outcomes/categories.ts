/** Lists of leads by last result, in tab order (specification, section 3). */
export const CATEGORY_LABELS = {
  NEW: 'New',
  PFP: 'Pitched for pack',
  DOWNL: 'Downloads',
  DEMO: 'Demos',
  CB: 'Call back',
  QUOTE: 'Quotes',
} as const

export type LeadCategory = keyof typeof CATEGORY_LABELS
export const LEAD_CATEGORIES = Object.keys(CATEGORY_LABELS) as readonly LeadCategory[]

/** Categories of a result: a list, or none. */
export const CATEGORY_OPTIONS = [
  { value: 'NEW', label: CATEGORY_LABELS.NEW },
  { value: 'PFP', label: CATEGORY_LABELS.PFP },
  { value: 'DOWNL', label: CATEGORY_LABELS.DOWNL },
  { value: 'DEMO', label: CATEGORY_LABELS.DEMO },
  { value: 'CB', label: CATEGORY_LABELS.CB },
  { value: 'QUOTE', label: CATEGORY_LABELS.QUOTE },
  { value: 'DEAD', label: 'In no list: do not call' },
  { value: 'NOTE', label: 'In no list: note only' },
] as const
