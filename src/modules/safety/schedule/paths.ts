import type { Navigation } from '#kernel/navigation.ts'
import { READERS } from '#modules/documents/rights.ts'

export const scheduleNav: Navigation = {
  path: '/safety/toolbox-talks/schedule',
  title: 'Talk schedule',
  icon: 'calendar',
  order: 4,
  allow: READERS,
  area: 'Safety',
  pack: 'safety',
}
