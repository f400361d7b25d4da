import { Problem } from '#kernel/errors.ts'
import { type DocumentFrame, type PdfPicture, toTemplateImportPath } from './furniture.ts'
import { renderPdf } from './render.ts'

export interface PackPart {
  readonly template: string | URL
  readonly furniture: DocumentFrame
  readonly body: object
}

/** Contents of a pack's cover, in addition to the table of contents. */
export interface PackCover {
  readonly title: string
  /** Name of the company that the pack is for. */
  readonly client: string
  readonly logo?: PdfPicture
  readonly author: string
  /** ISO 8601 instant at which the pack was created. */
  readonly on: string
  /** Files that the documents refer to. Each checksum is the SHA-256 in hexadecimal. */
  readonly files: readonly { readonly name: string; readonly checksum: string; readonly printed: boolean }[]
  /** The images among these files. */
  readonly images: readonly (PdfPicture & { readonly caption: string })[]
}

/** Maximum characters of text, about 400 pages, that one process can render within the time limit. */
const MAX_TEXT_CHARACTERS = 800_000
/** Maximum characters of base64 for all pictures. */
const MAX_PICTURE_CHARACTERS = 40_000_000

/** Size of the contents to be printed: characters of text, and base64 characters of pictures. */
export interface PackSize {
  readonly words: number
  readonly pictures: number
}

export function measurePackPartSize(part: PackPart): PackSize {
  let pictures = 0
  const weigh = (name: string, value: unknown) => {
    if (name !== 'base64') return name === 'strokes' ? undefined : value
    pictures += String(value).length
    return undefined
  }
  return { words: JSON.stringify(part, weigh).length, pictures }
}

/**
 * Creates a function that limits the size of a pack while its parts are collected. Memory use is therefore limited to
 * the contents of one file. The function throws 413 for the part that exceeds the limit.
 */
export function createPackSizeLimit(): (part: PackPart) => void {
  let [words, pictures] = [0, 0]
  return (part) => {
    const more = measurePackPartSize(part)
    words += more.words
    pictures += more.pictures
    if (words > MAX_TEXT_CHARACTERS) throw tooMuch('These documents are')
    if (pictures > MAX_PICTURE_CHARACTERS) throw tooMuch('The pictures of these documents are')
  }
}

const tooMuch = (what: string) =>
  new Problem(
    413,
    `${what} too large to print while you wait. Please start the pack as a background job, which has no size limit.`,
  )

/** Renders documents as one PDF: a cover with contents, continuous page numbers, and a bookmark for each document. */
export const renderPackDocuments = (cover: PackCover, parts: readonly PackPart[], client: number): Promise<Buffer> =>
  renderPdf({
    template: new URL('./pack.typ', import.meta.url),
    client,
    title: cover.title,
    data: {
      pack: cover,
      parts: parts.map(({ template, ...part }, i) => ({
        ...part,
        template: toTemplateImportPath(template),
        part: i + 1,
      })),
    },
  })

/** An entry in a pack's table of contents. */
export interface PackContentsEntry extends Pick<DocumentFrame, 'number' | 'title' | 'revision' | 'state' | 'seal'> {
  /** Number of the document in the pack, from 1. */
  readonly part: number
  /** Number of the document's first page. */
  readonly page: number
}

/** Renders the front matter for a pack that is created in portions. The result is joined with these portions. */
export const renderPackFrontMatter = (
  cover: PackCover,
  parts: readonly PackContentsEntry[],
  client: number,
): Promise<Buffer> =>
  renderPdf({
    template: new URL('./pack-front.typ', import.meta.url),
    client,
    title: cover.title,
    data: { pack: cover, parts },
  })

/** A portion of a pack: its documents and their position. */
export interface PackPdfPortion {
  /** Number of the portion's first page. */
  readonly from: number
  /** Number of the portion's first document. */
  readonly first: number
  /** Number of pages in all portions, once it is known. */
  readonly of: number | null
  readonly parts: readonly PackPart[]
  readonly images: PackCover['images']
}

/**
 * Renders one portion of a pack, with page numbers that continue from the previous portion. The result is joined with
 * the other portions.
 */
export const renderPackPortion = (
  cover: Pick<PackCover, 'title' | 'author'>,
  { from, first, of, parts, images }: PackPdfPortion,
  client: number,
): Promise<Buffer> =>
  renderPdf({
    template: new URL('./pack-portion.typ', import.meta.url),
    client,
    title: cover.title,
    data: {
      pack: cover,
      from,
      of,
      images,
      parts: parts.map(({ template, ...part }, i) => ({
        ...part,
        template: toTemplateImportPath(template),
        part: first + i,
      })),
    },
  })
