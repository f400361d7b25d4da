/** Sanitised HTML of the portal's small set. */
interface RichText {
  readonly html: string
}

/** The body of a toolbox talk's PDF, as `toolbox-talk.typ` reads it. Days are `2026-03-12`, times of day `07:30`. */
export interface ToolboxTalkPdf {
  readonly introduction?: RichText
  readonly points: readonly { readonly text: RichText | string }[]
  /** Pictures to show. */
  readonly images?: readonly { readonly base64: string; readonly alt: string; readonly caption?: string }[]
  /** Absent while the talk is only a sheet to brief from. */
  readonly presented?: {
    /** The number of the record of this occasion. */
    readonly record?: string
    /** Closed, it stands. */
    readonly closed?: boolean
    readonly recordedBy?: string
    readonly notes?: string
    readonly presenter: string
    /** Who presented it has no account here. */
    readonly presenterVisitor?: boolean
    readonly place?: string
    readonly date: string
    readonly start?: string
    readonly finish?: string
    /** Signatures as the furniture knows them; `at` is an ISO 8601 instant. */
    readonly attendees: readonly {
      readonly name: string
      readonly at: string
      readonly method: 'finger' | 'typed' | 'on behalf'
      readonly by?: string
      readonly visitor?: boolean
      /** Signed after the record was closed; and why they had not been there, where they were named. */
      readonly late?: boolean
      readonly absence?: string
      readonly strokes?: readonly (readonly (readonly [number, number])[])[]
      readonly width?: number
      readonly height?: number
      readonly statement?: string
    }[]
    readonly absentees: readonly { readonly name: string; readonly reason?: string }[]
  }
}
