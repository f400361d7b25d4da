import type { Incapacity } from './clocks.ts'
import type { AbsencePeriod } from './facts.ts'
import type { RiddorClock } from './proposal.ts'
import type { Retention } from './retention.ts'
import type { Screening } from './screening.ts'

interface StoredDecision {
  readonly id: number
  readonly decision: 'reportable' | 'not reportable'
  readonly reason: string
  readonly reportBy: string | null
  readonly proposal: Screening
  readonly author: string | null
  readonly createdAt: string
}

interface SentReport {
  readonly id: number
  readonly reference: string
  readonly sentOn: string
  readonly reportBy: string | null
  readonly reason: string
  readonly author: string | null
  readonly createdAt: string
}

/** Response of `GET incident_reports/{id}/screening`. */
export interface RiddorScreeningResponse extends Screening {
  readonly '@type': 'RiddorScreening'
  /** Sent with a decision, so that nobody decides on facts that they have not read. */
  readonly fingerprint: string
  readonly clock: RiddorClock | null
  /** Day in Europe/London. */
  readonly today: string
  readonly absences: readonly (Incapacity & {
    readonly person: number
    /** Sickness that was recorded for the employee after the accident. It counts once a person confirms its days. */
    readonly sickness: readonly AbsencePeriod[]
  })[]
  readonly decisions: readonly StoredDecision[]
  /** Reports to HSE and their corrections. */
  readonly sent: readonly SentReport[]
  readonly retention: Retention
}
