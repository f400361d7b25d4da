import type { ReactNode } from 'react'
import type { Actor } from '#kernel/roles.ts'

/** A part of the dashboard, or several that appear together. */
export interface DashboardPart {
  /** Position from the top; modules leave gaps for others: 10, 20. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly draw: () => ReactNode
}

interface Counted {
  readonly url: string
  readonly from: number
}

/** A step for getting started, shown on the dashboard until it is done. */
export interface GettingStartedStep {
  /** Position; modules leave gaps for others: 10, 20. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly title: string
  readonly about: string
  /** Icon name of the shell. */
  readonly icon: string
  readonly to: string
  /** A list of the API, and its minimum count for the step to be done. */
  readonly done: (actor: Actor) => Counted
}

/** Dashboard contributions of a module, in one file: each file is a request. */
export interface ModuleDashboard {
  readonly parts: readonly DashboardPart[]
  readonly firstSteps?: readonly GettingStartedStep[]
}
