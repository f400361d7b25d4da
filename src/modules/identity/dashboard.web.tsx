import { type Actor, hasRole } from '#kernel/roles.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { OurPeople } from './people/our-people.web.tsx'
import { WhoCameIn } from './visits/who-came-in.web.tsx'

/** The administrators of a client; the provider's have their work before it. */
const isFor = (actor: Actor) => hasRole(actor, 'ROLE_CLIENT_ADMIN') && !hasRole(actor, 'ROLE_STAFF')

export default [
  { order: 60, isFor, draw: () => <OurPeople /> },
  { order: 70, isFor, draw: () => <WhoCameIn /> },
] satisfies DashboardPart[]
