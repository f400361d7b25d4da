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
import { CATEGORY_LABELS, type LeadCategory } from '../outcomes/outcome.ts'

/** How a lead category is presented. */
interface Look {
  readonly words: string
  readonly icon: Icon
  readonly hue: Hue
}

/** Labels, icons and colours of the categories. The codes are those of the API (§4). */
export const CATEGORY_STYLES: Readonly<Record<LeadCategory, Look>> = {
  NEW: { words: CATEGORY_LABELS.NEW, icon: IconSparkles, hue: 'blue' },
  PFP: { words: CATEGORY_LABELS.PFP, icon: IconPackage, hue: 'brown' },
  DOWNL: { words: CATEGORY_LABELS.DOWNL, icon: IconDownload, hue: 'slate' },
  DEMO: { words: CATEGORY_LABELS.DEMO, icon: IconPresentation, hue: 'teal' },
  CB: { words: CATEGORY_LABELS.CB, icon: IconPhoneCalling, hue: 'violet' },
  QUOTE: { words: CATEGORY_LABELS.QUOTE, icon: IconFileInvoice, hue: 'plum' },
}

/** Style of a category; `undefined` for a category without a tab (lost, parked). */
export const categoryStyle = (category: string): Look | undefined =>
  (CATEGORY_STYLES as Readonly<Record<string, Look>>)[category]
