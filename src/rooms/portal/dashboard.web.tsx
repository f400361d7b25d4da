import { holds } from '#kernel/roles.ts'
import type { DashboardPart } from '#web/shell/faces/dashboard.ts'
import { Shortcuts } from './home/shortcuts.web.tsx'

export default [
  {
    order: 80,
    isFor: (actor) => !holds(actor, ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN', 'ROLE_RESELLER']),
    draw: () => <Shortcuts />,
  },
] satisfies DashboardPart[]
