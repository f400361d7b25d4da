import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { CHECKLIST_PATHS, checklistNav } from './nav.ts'

const { allow, pack } = checklistNav.list

export const checklists = screens({
  pages: [
    { ...pageFromNavigation(checklistNav.list), load: () => import('./list.web.tsx') },
    { ...pageFromNavigation(checklistNav.templates), load: () => import('./templates.web.tsx') },
    {
      path: `${CHECKLIST_PATHS.view}/:slug`,
      title: 'Checklist',
      under: CHECKLIST_PATHS.list,
      recordsAt: '/api/employees/checklists',
      allow,
      pack,
      load: () => import('./view.web.tsx'),
    },
    {
      path: CHECKLIST_PATHS.addStarter,
      title: 'Add starter',
      begins: 'New starter',
      under: CHECKLIST_PATHS.list,
      writes: true,
      allow: checklistNav.templates.allow,
      pack,
      load: () => import('./add-starter.web.tsx'),
    },
  ],
  help: () => import('./help.web.ts'),
})
