import { printedInk } from '#kernel/signature.ts'
import type { ToolboxTalkPdf } from './pdf.ts'

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
    absentees: people.filter((a) => !a.signedAt).map((a) => ({ name: text(a.name), ...some('reason', a.absence) })),
  }
}
