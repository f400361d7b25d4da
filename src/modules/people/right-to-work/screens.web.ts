import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import type { employeeRecord } from '../employees/employee-record.ts'
import { RIGHT_TO_WORK_PATHS, rightToWorkNav } from './nav.ts'

const { allow, pack } = rightToWorkNav.list

export const rightToWork = screens({
  pages: [
    { ...pageFromNavigation(rightToWorkNav.list), load: () => import('./list.web.tsx') },
    {
      path: `${RIGHT_TO_WORK_PATHS.view}/:slug`,
      title: 'Right to work of an employee',
      under: RIGHT_TO_WORK_PATHS.list,
      recordsAt: '/api/employees/right_to_work',
      allow,
      pack,
      load: () => import('./view.web.tsx'),
    },
  ],
  panels: [
    recordPanel<typeof employeeRecord>({ of: 'EmployeeRecord', order: 40, load: () => import('./panel.web.tsx') }),
  ],
  help: () => import('./help.web.ts'),
})
