import { printedInk } from '#kernel/signature.ts'
import { ukDateTime } from '#kernel/time.ts'
import { correctedWords } from '../attendance/corrected.ts'
import { countHeard, heardWords } from '../attendance/heard.ts'

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
    /** How many signed, were signed for, and were not there, in words. */
    readonly heard?: string
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
    /** What was put right after people had signed, in words. */
    readonly corrections?: readonly {
      readonly at: string
      readonly by: string
      readonly what: string
      readonly reason: string
    }[]
    readonly absentees: readonly { readonly name: string; readonly reason?: string }[]
  }
}

type Values = Readonly<Record<string, unknown>>
type Presented = NonNullable<ToolboxTalkPdf['presented']>

const text = (v: unknown) => (typeof v === 'string' ? v.trim() : '')
const list = (v: unknown): Values[] => (Array.isArray(v) ? (v as Values[]) : [])
const some = <K extends string>(name: K, v: unknown) => (text(v) ? ({ [name]: text(v) } as Record<K, string>) : {})

/** What is printed with a talk: the record of its being presented, its pictures. */
interface Beside {
  readonly presented?: unknown
  readonly images?: ToolboxTalkPdf['images']
}

/** A talk as its template prints it; with the record of its being presented, where there is one. */
export function talkPdf(record: Values, { presented, images = [] }: Beside = {}): ToolboxTalkPdf {
  return {
    ...(text(record.introduction) ? { introduction: { html: text(record.introduction) } } : {}),
    points: list(record.points)
      .map((p) => ({ text: text(p.text) }))
      .filter((p) => p.text),
    images,
    ...(presented ? { presented: presentation(presented as Values) } : {}),
  }
}

const showsAt = (v: unknown) => (text(v) ? ukDateTime(Temporal.Instant.from(text(v))) : '')

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
    heard: heardWords(countHeard(people)),
    attendees: people
      .filter((a) => a.signedAt)
      .map((a) => {
        return {
          name: text(a.name),
          at: text(a.signedAt),
          method: a.method as 'finger',
          ...some('by', a.byName),
          ...(a.visitor ? { visitor: true } : {}),
          ...(a.late ? { late: true, ...some('absence', a.absence) } : {}),
          ...printedInk(a.strokes),
        }
      }),
    corrections: list(p.corrections).map((one) => ({
      at: showsAt(one.createdAt),
      by: text(one.recordedBy) || text(one.author),
      what: correctedWords(one),
      reason: text(one.reason),
    })),
    absentees: people.filter((a) => !a.signedAt).map((a) => ({ name: text(a.name), ...some('reason', a.absence) })),
  }
}
