import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { leaveNav } from '../leave/nav.ts'

export const leaveReport = screens({
  pages: [
    { ...pageFromNavigation(leaveNav.report), load: () => import('./report.web.tsx') },
    { ...pageFromNavigation(leaveNav.massUpdate), load: () => import('../leave-mass-update/mass-update.web.tsx') },
    { ...pageFromNavigation(leaveNav.settings), load: () => import('./settings.web.tsx') },
  ],
  help: () => import('./help.web.ts'),
})
