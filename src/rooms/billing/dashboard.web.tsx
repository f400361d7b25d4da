import { holds } from '#kernel/roles.ts'
import type { DashboardPart } from '#web/shell/faces/dashboard.ts'
import { MyQuotes } from './quotes/my-quotes.web.tsx'

export default [
  { order: 30, isFor: (actor) => holds(actor, 'ROLE_STAFF'), draw: () => <MyQuotes /> },
] satisfies DashboardPart[]
