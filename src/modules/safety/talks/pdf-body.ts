import { pinCheckText, toPrintableSignatureDrawing } from '#kernel/signature.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { attendanceSummaryText, countAttendance, talkCorrectionText } from '../attendance/attendance-text.ts'

/** Sanitised HTML, limited to the tags that the portal allows. */
interface RichText {
  readonly html: string
}

/**
 * Body of a toolbox talk's PDF, used by `toolbox-talk.typ`. Dates are in the format `2026-03-12`, times in the format
 * `07:30`.
 */
export interface ToolboxTalkPdfBody {
  readonly introduction?: RichText
  readonly points: readonly { readonly text: RichText | string }[]
  readonly images?: readonly { readonly base64: string; readonly alt: string; readonly caption?: string }[]
  /** Record of the presentation; undefined if the talk is printed without a record. */
  readonly presented?: {
    /** Identifying number of the record. */
    readonly record?: string
    /** True if the record is closed and can't be changed. */
    readonly closed?: boolean
    readonly recordedBy?: string
    readonly notes?: string
    readonly presenter: string
    /** True if the presenter has no account. */
    readonly presenterVisitor?: boolean
    readonly place?: string
    readonly date: string
    readonly start?: string
    readonly finish?: string
    /** Text that states how many people signed, were signed for or were absent. */
    readonly heard?: string
    /** Attendees and their signatures, as in the shared print layout. `at` is an ISO 8601 instant. */
    readonly attendees: readonly {
      readonly name: string
      readonly at: string
      /** Instant at which the person signed offline, by the clock of the device. `at` is then the arrival. */
      readonly drawnAt?: string
      readonly method: 'finger' | 'typed' | 'on behalf'
      readonly by?: string
      readonly visitor?: boolean
      /** True if the person signed by a link, without an account. */
      readonly byLink?: boolean
      /** Check of the signer's PIN on another person's device, such as `PIN checked`. */
      readonly pin?: string
      /**
       * True if the person signed after the record was closed. `absence` is the reason for an absence, if the person
       * was marked absent.
       */
      readonly late?: boolean
      readonly absence?: string
      /** Company and trade of a person without an account. */
      readonly employer?: string
      readonly strokes?: readonly (readonly (readonly [number, number])[])[]
      readonly width?: number
      readonly height?: number
      readonly statement?: string
    }[]
    readonly corrections?: readonly {
      readonly at: string
      readonly by: string
      readonly what: string
      readonly reason: string
    }[]
    readonly absentees: readonly { readonly name: string; readonly reason?: string }[]
    /** People who have neither signed nor been marked absent. */
    readonly unsigned: readonly { readonly name: string; readonly employer?: string }[]
  }
}

type Values = Readonly<Record<string, unknown>>
type Presented = NonNullable<ToolboxTalkPdfBody['presented']>

const text = (v: unknown) => (typeof v === 'string' ? v.trim() : '')
const list = (v: unknown): Values[] => (Array.isArray(v) ? (v as Values[]) : [])
const some = <K extends string>(name: K, v: unknown) => (text(v) ? ({ [name]: text(v) } as Record<K, string>) : {})

/** Content printed with a talk: the record of its presentation and the talk's pictures. */
interface Beside {
  readonly presented?: unknown
  readonly images?: ToolboxTalkPdfBody['images']
}

/** Converts a talk and, if given, the record of its presentation to the input for the PDF template. */
export function toTalkPdfBody(record: Values, { presented, images = [] }: Beside = {}): ToolboxTalkPdfBody {
  return {
    ...(text(record.introduction) ? { introduction: { html: text(record.introduction) } } : {}),
    points: list(record.points)
      .map((p) => ({ text: text(p.text) }))
      .filter((p) => p.text),
    images,
    ...(presented ? { presented: presentation(presented as Values) } : {}),
  }
}

const employer = (a: Values) => some('employer', [text(a.trade), text(a.company)].filter(Boolean).join(', '))

const showsAt = (v: unknown) => (text(v) ? formatUkDateTime(Temporal.Instant.from(text(v))) : '')

function presentation(p: Values): Presented {
  const people = list(p.attendees)
  return {
    ...(typeof p.id === 'number' ? { record: `No. ${p.id}` } : {}),
    closed: p.complete === true,
    ...some('recordedBy', p.recordedBy),
    ...some('notes', p.notes),
    presenter: text(p.presenter),
    ...(p.presenterVisitor ? { presenterVisitor: true } : {}),
    ...some('place', p.place),
    date: text(p.date),
    ...some('start', p.startTime),
    ...some('finish', p.finishTime),
    heard: attendanceSummaryText(countAttendance(people)),
    attendees: people
      .filter((a) => a.signedAt)
      .map((a) => {
        return {
          name: text(a.name),
          at: text(a.signedAt),
          ...some('drawnAt', a.drawnAt),
          method: a.method as 'finger',
          ...some('by', a.byName),
          ...(a.visitor ? { visitor: true } : {}),
          ...(a.byLink ? { byLink: true } : {}),
          ...some('pin', pinCheckText(text(a.pinCheck))),
          ...employer(a),
          ...(a.late ? { late: true, ...some('absence', a.absence) } : {}),
          ...toPrintableSignatureDrawing(a.strokes),
        }
      }),
    corrections: list(p.corrections).map((one) => ({
      at: showsAt(one.createdAt),
      by: text(one.recordedBy) || text(one.author),
      what: talkCorrectionText(one),
      reason: text(one.reason),
    })),
    absentees: people
      .filter((a) => !a.signedAt && text(a.absence))
      .map((a) => ({ name: text(a.name), ...some('reason', a.absence) })),
    unsigned: people
      .filter((a) => !a.signedAt && !text(a.absence))
      .map((a) => ({ name: text(a.name), ...employer(a) })),
  }
}
