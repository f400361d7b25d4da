import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { LEAVE_PATHS, leaveNav } from '../leave/nav.ts'

const { allow, pack } = leaveNav.calendar

export const leaveCalendar = screens({
  pages: [
    { path: LEAVE_PATHS.root, title: 'Leave', redirect: LEAVE_PATHS.calendar, allow, pack },
    { ...pageFromNavigation(leaveNav.calendar), load: () => import('./calendar.web.tsx') },
    {
      path: LEAVE_PATHS.request,
      title: 'Request leave',
      begins: 'New leave request',
      writes: true,
      under: LEAVE_PATHS.calendar,
      allow,
      pack,
      load: () => import('./request.web.tsx'),
    },
    { ...pageFromNavigation(leaveNav.advert), load: () => import('./advert.web.tsx') },
  ],
})
