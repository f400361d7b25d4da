import type { employeeRecord } from '#modules/people/employees/employee-record.ts'
import { buildWebModule } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import { trainingNav } from './nav.ts'

export const trainingWebModule = buildWebModule([
  {
    pages: [
      { ...pageFromNavigation(trainingNav.matrix), load: () => import('./matrix/matrix.web.tsx') },
      { ...pageFromNavigation(trainingNav.courses), load: () => import('./courses/courses.web.tsx') },
      { ...pageFromNavigation(trainingNav.requirements), load: () => import('./courses/requirements.web.tsx') },
      { ...pageFromNavigation(trainingNav.plan), load: () => import('./plan/plan.web.tsx') },
      { ...pageFromNavigation(trainingNav.certificates), load: () => import('./certificates/certificates.web.tsx') },
      { ...pageFromNavigation(trainingNav.ownStaff), load: () => import('./matrix/matrix.web.tsx') },
      ...[trainingNav.sessions, trainingNav.providerSessions].flatMap((nav) => [
        { ...pageFromNavigation(nav), load: () => import('./bookings/sessions.web.tsx') },
        {
          path: `${nav.path}/:id`,
          title: 'Training session',
          allow: nav.allow,
          pack: 'safety' as const,
          under: nav.path,
          load: () => import('./bookings/session.web.tsx'),
        },
      ]),
    ],
    panels: [
      recordPanel<typeof employeeRecord>({
        of: 'EmployeeRecord',
        order: 60,
        load: () => import('./matrix/panel.web.tsx'),
      }),
    ],
    help: () => import('./help.web.ts'),
  },
])
