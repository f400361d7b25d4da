import type { ReactNode } from 'react'
import type { Actor } from '#kernel/roles.ts'

/** One part of the dashboard, or a few that come together. */
export interface DashboardPart {
  /** Its place, from the top; a module leaves room for others: 10, 20. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly draw: () => ReactNode
}
