import { feature } from '#server/engine/module.ts'
import { calendarRoutes } from './calendar.server.ts'
import { feedRoutes } from './feed.server.ts'
import { leaveFeed } from './feed.ts'

export const leaveCalendar = feature({
  pack: 'holidays',
  resources: [leaveFeed],
  routes: [...calendarRoutes, ...feedRoutes],
})
