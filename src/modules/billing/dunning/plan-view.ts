import type { Iri } from '#kernel/fields.ts'
import type { DunningStepKind } from './dunning.ts'
import type { UpcomingDunningStep } from './plan.ts'

/** Response of `GET invoices/{id}/dunning`: reminder history and upcoming steps. */
export interface DunningPlan {
  readonly '@id': string
  readonly '@type': 'DunningPlan'
  /** Null before the first step. */
  readonly state: 'collecting' | 'held' | 'collected' | 'ended' | null
  readonly pausedUntil: string | null
  readonly pauseReason: string
  readonly pausedBy: string
  /** True while a payment is in progress. */
  readonly underWay: boolean
  readonly final: 'keep' | 'cancel' | 'uncollectible'
  /** Newest first. */
  readonly steps: readonly DunningPlanStep[]
  readonly next: readonly UpcomingDunningStep[]
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
