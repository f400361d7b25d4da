import type { ReactNode } from 'react'
import type { Actor } from '#kernel/roles.ts'

/** Section of the dashboard, or several sections that appear together. */
export interface DashboardPart {
  /** Position from the top. Numbers have gaps (10, 20), so that other modules can add sections in between. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly draw: () => ReactNode
}

interface Counted {
  readonly url: string
  readonly from: number
}

/** Getting-started step, shown on the dashboard until it is done. */
export interface GettingStartedStep {
  /** Position from the top. Numbers have gaps (10, 20), so that other modules can add steps in between. */
  readonly order: number
  readonly isFor: (actor: Actor) => boolean
  readonly title: string
  readonly about: string
  /** Name of a shell icon. */
  readonly icon: string
  readonly to: string
  /** Returns an API list, and the number of records it must contain for the step to be done. */
  readonly done: (actor: Actor) => Counted
}

/** A module's contributions to the dashboard, in one file because each file costs a request. */
export interface ModuleDashboard {
  readonly parts: readonly DashboardPart[]
  readonly firstSteps?: readonly GettingStartedStep[]
}
