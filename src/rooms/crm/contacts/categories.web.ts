import {
  type Icon,
  IconDownload,
  IconFileInvoice,
  IconPackage,
  IconPhoneCalling,
  IconPresentation,
  IconSparkles,
} from '@tabler/icons-react'
import type { Hue } from '#web/theme/meaning.ts'

/** A category of leads, as people know it at a glance. */
interface Look {
  readonly words: string
  readonly icon: Icon
  readonly hue: Hue
}

/** In the order of the strip. The code is what the API says (§4), and what whoever has learnt it looks for. */
export const CATEGORY_LOOKS = {
  NEW: { words: 'New', icon: IconSparkles, hue: 'blue' },
  PFP: { words: 'Pitched for pack', icon: IconPackage, hue: 'brown' },
  DOWNL: { words: 'Downloads', icon: IconDownload, hue: 'slate' },
  DEMO: { words: 'Demos', icon: IconPresentation, hue: 'teal' },
  CB: { words: 'Call back', icon: IconPhoneCalling, hue: 'violet' },
  QUOTE: { words: 'Quotes', icon: IconFileInvoice, hue: 'plum' },
} as const satisfies Record<string, Look>

export type Category = keyof typeof CATEGORY_LOOKS
export const CATEGORIES = Object.keys(CATEGORY_LOOKS) as readonly Category[]

/** How a category looks; those that are no tab (lost, parked) look like none. */
export const lookOf = (category: string): Look | undefined =>
  (CATEGORY_LOOKS as Readonly<Record<string, Look>>)[category]
