import type { Level } from '../risk-matrix/bands.ts'
import type { PrintedJob } from '../shared-fields/pdf.ts'

/** Sanitised HTML of the portal's small set. */
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

/** The body of a risk assessment's PDF, as `risk-assessment.typ` reads it. Days are `2026-03-12`. */
export interface RiskPdf {
  readonly job: PrintedJob & {
    readonly personsAffected?: string | number
    readonly groupsAffected?: readonly string[]
    /** It is about a part of the work only. */
    readonly partial?: true
  }
  /** What else there is to say about the people at risk. */
  readonly peopleNote?: RichText
  /** Probability and severity from 1 to 5; bands from the mildest to the worst, at most five. */
  readonly scales: {
    readonly probability: readonly Step[]
    readonly severity: readonly Step[]
    readonly bands: readonly {
      readonly from: number
      readonly to: number
      readonly name: string
      readonly level: Level
      /** What is to be done, in a sentence. */
      readonly rule?: string
    }[]
  }
  readonly hazards: readonly {
    readonly group?: string
    readonly name: string
    readonly description?: RichText | string
    readonly personsAtRisk?: readonly string[]
    /** Who sees to all of its controls; a control that another sees to says so itself. */
    readonly responsible?: string
    /** Absent: not yet judged. */
    readonly initial?: Judgement
    readonly residual?: Judgement
    readonly controls: readonly {
      readonly level: 'eliminate' | 'substitute' | 'engineering' | 'administrative' | 'ppe'
      readonly name: string
      readonly description?: string
      readonly responsibility?: string
      readonly implemented: boolean
      /** The day by which it is to be in place. */
      readonly plannedFor?: string
    }[]
    /** Why the risk that is left may be. */
    readonly residualReason?: string
    /** Why protective equipment alone will do. */
    readonly ppeAloneReason?: string
  }[]
  /** `iso7010` as `M014`, `image` a drawing in `db/reference/ppe-signs`; an item without either gets its initials. */
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
