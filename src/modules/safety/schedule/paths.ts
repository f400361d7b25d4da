import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'

export const talkScheduleNav: NavigationEntry = {
  path: '/safety/toolbox-talks/schedule',
  title: 'Talk schedule',
  icon: 'calendar',
  order: 4,
  allow: DOCUMENT_READER_ROLES,
  area: 'Safety',
  pack: 'safety',
}
