import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'

export const talkScheduleNav: NavigationEntry = {
  path: '/safety/toolbox-talks/schedule',
  title: 'Talk schedule',
  icon: 'calendar',
  order: 6.1,
  tabOf: '/safety/toolbox-talks',
  allow: DOCUMENT_READER_ROLES,
  area: 'Documents',
  pack: 'safety',
}
