import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PdfRenderOptions, renderPdf } from './render.ts'
import { PROJECT_ROOT } from './root.ts'

/** A picture (PNG, JPEG, GIF or WebP) with its alternative text. */
export interface PdfPicture {
  readonly base64: string
  readonly alt: string
}

export interface PdfSignature {
  readonly name: string
  /** ISO 8601 instant. */
  readonly at: string
  readonly method: 'finger' | 'typed' | 'on behalf'
  /** The person who signed on behalf of `name`, or whose device a visitor used to sign. */
  readonly by?: string
  /** True for a person without an account. */
  readonly visitor?: boolean
  /** True if the person used a link, without signing in. */
  readonly byLink?: boolean
  /** Trade and company of the person. */
  readonly employer?: string
  /** Strokes of the drawing, each a list of points, in an area of `width` by `height`. */
  readonly strokes?: readonly (readonly (readonly [number, number])[])[]
  readonly width?: number
  readonly height?: number
  readonly statement?: string
  /** The revision that was signed, the current revision, and the reason why the signature still applies. */
  readonly carriedFrom?: number
  readonly carriedTo?: number
  readonly carriedWhy?: string
}

/** Documents and files that a document refers to. */
export interface PdfReferenceList {
  readonly heading: string
  readonly rows: readonly {
    readonly number: string
    readonly revision?: number
    readonly title: string
    readonly notes?: string
    /** Hash of the sealed contents or of the file, in hexadecimal. */
    readonly digest?: string
    readonly on?: string
  }[]
}

/** Withdrawal, rejection or deletion of a document: by whom and when. */
interface DocumentEnding {
  readonly by: string
  readonly on: string
}

/**
 * Elements that all documents have in addition to their own contents. Dates have the format `2026-03-12`. Instants are
 * in ISO 8601 and are printed in London time.
 */
export interface DocumentFrame {
  readonly number: string
  readonly revision: string | number
  /** Sentence that states that this is a template of the provider's, which nobody has confirmed for a job. */
  readonly template?: string
  readonly state: 'draft' | 'complete' | 'current' | 'rejected' | 'replaced' | 'retired' | 'withdrawn'
  /** Name of the document type, such as `Risk assessment`. */
  readonly kindName: string
  readonly title: string
  readonly client: {
    readonly name: string
    readonly address?: string
    readonly logo?: PdfPicture | undefined
    /** The client's own text for the top and bottom of every page. */
    readonly header?: string
    readonly footer?: string
  }
  readonly brand: {
    readonly name: string
    /** Brand colour such as `#005387`; any other format is ignored. */
    readonly primary?: string
  }
  readonly author: string
  readonly createdOn: string
  readonly completedOn?: string
  /** True if the document needs no approval, and has therefore been in force since it was completed. */
  readonly unapproved?: boolean
  readonly approvedBy?: string
  readonly approvedOn?: string
  readonly reviewDue?: string
  readonly ended?: DocumentEnding
  /** Reason for this revision. */
  readonly reason?: string
  /** Date of the latest change that the record contains. */
  readonly asOf?: string
  /** Hash of the sealed contents, in hexadecimal. */
  readonly seal?: string
  readonly references?: readonly PdfReferenceList[]
  /** Field labels that the document's form changes compared with the template. */
  readonly labels?: Readonly<Record<string, string>>
  /** Fields that the document's form adds to the template. They are printed before the document's own contents. */
  readonly further?: readonly {
    readonly title: string
    readonly facts: readonly {
      readonly label: string
      readonly text?: string
      readonly words?: { readonly html: string }
    }[]
  }[]
  readonly signatures: readonly PdfSignature[]
  readonly history: readonly {
    readonly revision: string | number
    readonly state: string
    readonly on: string
    readonly by: string
    readonly ended?: DocumentEnding
    readonly note?: string
    /** Number of signatures carried over when the revision came into force, and the reason. */
    readonly carried?: string
  }[]
}

interface DocumentJob {
  readonly template: string | URL
  readonly furniture: DocumentFrame
  readonly body: object
  /** Client for which the job is queued. */
  readonly client?: number
  readonly lang?: string
}

/**
 * Renders a controlled document as a PDF. The template reads the document's body as `data.body`; the common elements
 * are printed around it.
 */
export const renderControlledDocument = (job: DocumentJob): Promise<Buffer> => renderPdf(pdfJob(job))

/** Renders a controlled document as a picture (SVG), for a preview beside a form. */
export const renderControlledDocumentSvg = (job: DocumentJob): Promise<Buffer> =>
  renderPdf({ ...pdfJob(job), as: 'picture' })

function pdfJob(job: DocumentJob): PdfRenderOptions {
  const f = job.furniture
  return {
    template: new URL('./paper.typ', import.meta.url),
    ...(job.client === undefined ? {} : { client: job.client }),
    title: `${f.number} ${f.title}`,
    ...(job.lang ? { lang: job.lang } : {}),
    data: {
      template: toTemplateImportPath(job.template),
      furniture: f,
      body: job.body,
    },
  }
}

/** Converts a template's path to a path from the project's root, as used by imports in other templates. */
export function toTemplateImportPath(template: string | URL): string {
  const path = template instanceof URL || template.startsWith('file:') ? fileURLToPath(template) : template
  return `/${relative(PROJECT_ROOT, path).split(sep).join('/')}`
}
