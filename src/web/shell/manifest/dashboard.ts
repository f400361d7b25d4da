import type { ReactNode } from 'react'
import type { Actor } from '#kernel/roles.ts'

/** One part of the dashboard, or a few that come together. */
export interface DashboardPart {
  /** Its place, from the top; a module leaves room for others: 10, 20. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly draw: () => ReactNode
}

interface Counted {
  readonly url: string
  readonly from: number
}

/** What somebody does once to get going: the dashboard shows it until it is done. */
export interface FirstStep {
  /** Its place; a module leaves room for others: 10, 20. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly title: string
  readonly about: string
  /** A name of the shell's icons. */
  readonly icon: string
  readonly to: string
  /** A list of the API, and how many it holds at least once the step is done. */
  readonly done: (actor: Actor) => Counted
}

/** What a module has for the dashboard: in one file, as each is a request. */
export interface ModuleDashboard {
  readonly parts: readonly DashboardPart[]
  readonly firstSteps?: readonly FirstStep[]
}
