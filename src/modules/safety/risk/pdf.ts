import type { BandColour } from '../risk-matrix/bands.ts'
import type { PrintedJob } from '../shared-fields/pdf.ts'

/** Sanitised HTML, limited to the portal's subset. */
interface RichText {
  readonly html: string
}

/** Probability and severity, 1 to 5 each. */
interface Judgement {
  readonly probability: number
  readonly severity: number
}

interface Step {
  readonly value: number
  readonly name: string
}

/** Body of a risk assessment's PDF, read by `risk-assessment.typ`. Days are `2026-03-12`. */
export interface RiskPdfBody {
  readonly job: PrintedJob & {
    readonly personsAffected?: string | number
    readonly groupsAffected?: readonly string[]
    /** True if it covers only part of the work. */
    readonly partial?: true
  }
  readonly peopleNote?: RichText
  /** Probability and severity from 1 to 5; at most five bands, mildest first. */
  readonly scales: {
    readonly probability: readonly Step[]
    readonly severity: readonly Step[]
    readonly bands: readonly {
      readonly from: number
      readonly to: number
      readonly name: string
      readonly level: BandColour
      /** Action required, one sentence. */
      readonly rule?: string
    }[]
  }
  readonly hazards: readonly {
    readonly group?: string
    readonly name: string
    readonly description?: RichText | string
    readonly personsAtRisk?: readonly string[]
    /** Person responsible for all of its controls; a control with another person states it. */
    readonly responsible?: string
    /** Absent if not yet rated. */
    readonly initial?: Judgement
    readonly residual?: Judgement
    readonly controls: readonly {
      readonly level: 'eliminate' | 'substitute' | 'engineering' | 'administrative' | 'ppe'
      readonly name: string
      readonly description?: string
      readonly responsibility?: string
      readonly implemented: boolean
      readonly plannedFor?: string
    }[]
    /** Reason for accepting the residual risk. */
    readonly residualReason?: string
    /** Reason why protective equipment alone is sufficient. */
    readonly ppeAloneReason?: string
  }[]
  /**
   * `iso7010` such as `M014`, `image` a drawing in `db/reference/ppe-signs`; items without either show their initials.
   */
  readonly ppe: readonly {
    readonly label: string
    readonly image?: string
    readonly iso7010?: string | null
    readonly standard?: string
  }[]
  readonly methodStatement?: {
    readonly statements: readonly { readonly heading: string; readonly text: RichText }[]
    readonly tasks: readonly { readonly name: string; readonly description?: RichText }[]
    readonly emergencyContacts: readonly { readonly name: string; readonly role?: string; readonly phone: string }[]
  }
  readonly images: readonly { readonly base64: string; readonly alt: string; readonly caption?: string }[]
}
