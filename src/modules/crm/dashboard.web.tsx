import { type Actor, hasRole } from '#kernel/roles.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { Calling } from './leads/calling-part.web.tsx'
import { DueNext } from './leads/due-part.web.tsx'

const isFor = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')

export default [
  { order: 10, isFor, draw: () => <Calling /> },
  { order: 20, isFor, draw: () => <DueNext /> },
] satisfies DashboardPart[]
