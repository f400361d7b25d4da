import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'

export const talkScheduleNav: NavigationEntry = {
  path: '/safety/toolbox-talks/schedule',
  title: 'Talk schedule',
  icon: 'calendar',
  order: 4,
  allow: DOCUMENT_READERS,
  area: 'Safety',
  pack: 'safety',
}
