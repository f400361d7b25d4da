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
import { CATEGORY_WORDS, type Category } from '../outcomes/categories.ts'

/** How a lead category is presented. */
interface Look {
  readonly words: string
  readonly icon: Icon
  readonly hue: Hue
}

/** Labels, icons and colours of the categories. The codes are those of the API (§4). */
export const CATEGORY_LOOKS: Readonly<Record<Category, Look>> = {
  NEW: { words: CATEGORY_WORDS.NEW, icon: IconSparkles, hue: 'blue' },
  PFP: { words: CATEGORY_WORDS.PFP, icon: IconPackage, hue: 'brown' },
  DOWNL: { words: CATEGORY_WORDS.DOWNL, icon: IconDownload, hue: 'slate' },
  DEMO: { words: CATEGORY_WORDS.DEMO, icon: IconPresentation, hue: 'teal' },
  CB: { words: CATEGORY_WORDS.CB, icon: IconPhoneCalling, hue: 'violet' },
  QUOTE: { words: CATEGORY_WORDS.QUOTE, icon: IconFileInvoice, hue: 'plum' },
}

/** Style of a category; `undefined` for those without a tab (lost, parked). */
export const lookOf = (category: string): Look | undefined =>
  (CATEGORY_LOOKS as Readonly<Record<string, Look>>)[category]
