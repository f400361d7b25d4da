import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PdfJob, renderPdf } from './render.ts'
import { root } from './root.ts'

/** A picture with what it shows, for those who can't see it. PNG, JPEG, GIF or WebP. */
export interface Picture {
  readonly base64: string
  readonly alt: string
}

/** One person's signature. */
export interface Signature {
  readonly name: string
  /** ISO 8601 instant */
  readonly at: string
  readonly method: 'finger' | 'typed' | 'on behalf'
  /** Who signed on behalf of `name`, or on whose device a visitor signed. */
  readonly by?: string
  /** Somebody without an account. */
  readonly visitor?: boolean
  /** What was drawn: each stroke a list of points, in a field of `width` by `height`. */
  readonly strokes?: readonly (readonly (readonly [number, number])[])[]
  readonly width?: number
  readonly height?: number
  /** The sentence that was signed. */
  readonly statement?: string
  /** The earlier revision that was signed, this one, and why the signature holds for it. */
  readonly carriedFrom?: number
  readonly carriedTo?: number
  readonly carriedWhy?: string
}

/** Documents and files that a document refers to. */
export interface ReferenceList {
  readonly heading: string
  readonly rows: readonly {
    readonly number: string
    readonly revision?: number
    readonly title: string
    readonly notes?: string
    /** Hash of the sealed contents or of the file, hexadecimal. */
    readonly digest?: string
    readonly on?: string
  }[]
}

/** By whom something was withdrawn, rejected or deleted, and when. */
interface Ended {
  readonly by: string
  readonly on: string
}

/** What every document carries besides its own matter. Days are `2026-03-12`; instants are ISO 8601 and shown in London time. */
export interface Furniture {
  readonly number: string
  readonly revision: string | number
  readonly state: 'draft' | 'complete' | 'current' | 'rejected' | 'replaced' | 'retired' | 'withdrawn'
  /** `Risk assessment` */
  readonly kindName: string
  readonly title: string
  readonly client: {
    readonly name: string
    readonly address?: string
    readonly logo?: Picture | undefined
    /** A line of the client's own at the head and at the foot of every page. */
    readonly header?: string
    readonly footer?: string
  }
  readonly brand: {
    readonly name: string
    /** `#005387`; anything else is left aside. */
    readonly primary?: string
  }
  readonly author: string
  readonly createdOn: string
  readonly completedOn?: string
  /** Nobody approves it: it has been in force since it was complete. */
  readonly unapproved?: boolean
  readonly approvedBy?: string
  readonly approvedOn?: string
  readonly reviewDue?: string
  /** Who withdrew, rejected or deleted it, and when. */
  readonly ended?: Ended
  /** Why this revision was begun. */
  readonly reason?: string
  /** When the last of what the record tells was done. */
  readonly asOf?: string
  /** Hash of the sealed contents, hexadecimal. */
  readonly seal?: string
  /** What it refers to, list by list. */
  readonly references?: readonly ReferenceList[]
  /** What fields are called where the document's form says otherwise than its template. */
  readonly labels?: Readonly<Record<string, string>>
  /** What the document's form asks for beyond its template: printed before its own matter. */
  readonly further?: readonly {
    readonly title: string
    readonly facts: readonly {
      readonly label: string
      readonly text?: string
      readonly words?: { readonly html: string }
    }[]
  }[]
  readonly signatures: readonly Signature[]
  readonly history: readonly {
    readonly revision: string | number
    readonly state: string
    readonly on: string
    readonly by: string
    readonly ended?: Ended
    readonly note?: string
    /** How many stood as signed when it came in force, and why. */
    readonly carried?: string
  }[]
}

interface DocumentJob {
  readonly template: string | URL
  readonly furniture: Furniture
  readonly body: object
  /** Whose turn it takes. */
  readonly client?: number
  readonly lang?: string
}

/** A controlled document as a PDF: the body, which its own template reads as `data.body`, in the furniture of all documents. */
export const renderDocument = (job: DocumentJob): Promise<Buffer> => renderPdf(pdfJob(job))

/** The same, drawn as a picture (SVG) by the same printer: for looking at beside a form. */
export const drawDocument = (job: DocumentJob): Promise<Buffer> => renderPdf({ ...pdfJob(job), as: 'picture' })

function pdfJob(job: DocumentJob): PdfJob {
  const f = job.furniture
  return {
    template: new URL('./paper.typ', import.meta.url),
    ...(job.client === undefined ? {} : { client: job.client }),
    title: `${f.number} ${f.title}`,
    ...(job.lang ? { lang: job.lang } : {}),
    data: {
      template: templateAt(job.template),
      furniture: f,
      body: job.body,
    },
  }
}

/** A template as other templates name it: from the project's root. */
export function templateAt(template: string | URL): string {
  const path = template instanceof URL || template.startsWith('file:') ? fileURLToPath(template) : template
  return `/${relative(root, path).split(sep).join('/')}`
}
