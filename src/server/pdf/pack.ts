import { Problem } from '#kernel/errors.ts'
import { type DocumentFrame, type PdfPicture, toTemplateImportPath } from './furniture.ts'
import { renderPdf } from './render.ts'

/** A document of a pack with its own template. */
export interface PackPart {
  readonly template: string | URL
  readonly furniture: DocumentFrame
  readonly body: object
}

/** Contents of the cover, in addition to the table of contents. */
export interface PackCover {
  readonly title: string
  /** Company that the pack is for. */
  readonly client: string
  readonly logo?: PdfPicture
  readonly author: string
  /** ISO 8601 instant at which the pack was created. */
  readonly on: string
  /** Files that the documents refer to. Checksums are SHA-256 in hexadecimal. */
  readonly files: readonly { readonly name: string; readonly checksum: string; readonly printed: boolean }[]
  /** Those of the files that are images. */
  readonly images: readonly (PdfPicture & { readonly caption: string })[]
}

/** Maximum characters of text, some 400 pages, that one process can print in time. */
const MAX_TEXT_CHARACTERS = 800_000
/** Maximum base64 characters of pictures. */
const MAX_PICTURE_CHARACTERS = 40_000_000

/** Size of printed contents: characters of text and of pictures. */
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
 * Limits the size of a pack during collection of its parts, so that memory holds no more than one file may contain. The
 * returned function throws 413 for the part that exceeds the limit.
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

/** A document in the table of contents of a pack. */
export interface PackContentsEntry extends Pick<DocumentFrame, 'number' | 'title' | 'revision' | 'state' | 'seal'> {
  /** Number in the pack, from 1. */
  readonly part: number
  /** Number of its first page. */
  readonly page: number
}

/** Renders the front matter of a pack that is created in portions, to be joined with them. */
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

/** A portion of a pack: its position and its documents. */
export interface PackPdfPortion {
  /** Number of its first page. */
  readonly from: number
  /** Number of its first document. */
  readonly first: number
  /** Number of pages of all portions, once known. */
  readonly of: number | null
  readonly parts: readonly PackPart[]
  readonly images: PackCover['images']
}

/** Renders some documents of a pack with continuing page numbers, to be joined with the other portions. */
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
