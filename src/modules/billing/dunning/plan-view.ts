import type { Iri } from '#kernel/fields.ts'
import type { DunningStepKind } from './dunning.ts'
import type { Step } from './plan.ts'

/** What `GET invoices/{id}/dunning` answers: what was done to collect an invoice, and what comes next. */
export interface DunningPlan {
  readonly '@id': string
  readonly '@type': 'DunningPlan'
  /** Nothing has been done yet: null. */
  readonly state: 'collecting' | 'held' | 'collected' | 'ended' | null
  readonly pausedUntil: string | null
  readonly pauseReason: string
  readonly pausedBy: string
  /** A payment is being made just now. */
  readonly underWay: boolean
  readonly final: 'keep' | 'cancel' | 'uncollectible'
  /** The newest first. */
  readonly steps: readonly DunningPlanStep[]
  readonly next: readonly Step[]
}

export interface DunningPlanStep {
  readonly id: number
  readonly kind: DunningStepKind
  readonly day: string
  readonly description: string
  readonly sentTo: string
  readonly charge: Iri | null
  readonly author: string
}
