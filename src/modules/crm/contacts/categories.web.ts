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
import { LEAD_CATEGORY_LABELS, type LeadCategory } from '../outcomes/outcome.ts'

/** How a lead category is presented. */
interface Look {
  readonly words: string
  readonly icon: Icon
  readonly hue: Hue
}

/** Labels, icons and colours of the categories. The codes are those of the API (§4). */
export const LEAD_CATEGORY_STYLES: Readonly<Record<LeadCategory, Look>> = {
  NEW: { words: LEAD_CATEGORY_LABELS.NEW, icon: IconSparkles, hue: 'blue' },
  PFP: { words: LEAD_CATEGORY_LABELS.PFP, icon: IconPackage, hue: 'brown' },
  DOWNL: { words: LEAD_CATEGORY_LABELS.DOWNL, icon: IconDownload, hue: 'slate' },
  DEMO: { words: LEAD_CATEGORY_LABELS.DEMO, icon: IconPresentation, hue: 'teal' },
  CB: { words: LEAD_CATEGORY_LABELS.CB, icon: IconPhoneCalling, hue: 'violet' },
  QUOTE: { words: LEAD_CATEGORY_LABELS.QUOTE, icon: IconFileInvoice, hue: 'plum' },
}

/** Style of a category; `undefined` for a category without a tab (lost, parked). */
export const leadCategoryStyle = (category: string): Look | undefined =>
  (LEAD_CATEGORY_STYLES as Readonly<Record<string, Look>>)[category]
