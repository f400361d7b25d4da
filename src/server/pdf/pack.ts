import { problem } from '#kernel/errors.ts'
import { type Furniture, type Picture, templateAt } from './furniture.ts'
import { renderPdf } from './render.ts'

/** A document of a pack, as its own template prints it. */
export interface PackPart {
  readonly template: string | URL
  readonly furniture: Furniture
  readonly body: object
}

/** What stands on the cover, beside the contents. */
export interface PackCover {
  readonly title: string
  /** The company that it is for. */
  readonly client: string
  readonly logo?: Picture
  readonly author: string
  /** ISO 8601 instant: when it was put together. */
  readonly on: string
  /** Files that the documents refer to. Checksums are SHA-256 in hexadecimal. */
  readonly files: readonly { readonly name: string; readonly checksum: string; readonly printed: boolean }[]
  /** Those of them that are pictures. */
  readonly images: readonly (Picture & { readonly caption: string })[]
}

/** Characters of all that is written, some 400 pages: what one process prints in time. */
const MOST_WORDS = 800_000
/** Characters of its pictures. */
const MOST_PICTURES = 40_000_000
const TOO_MUCH = 'Please choose fewer, and make several packs.'

/**
 * Watches over what is put together, part by part, so that no more is held than one file takes. The function that it gives throws 409
 * for the part that is too much.
 */
export function packRoom(): (part: PackPart) => void {
  let [words, pictures] = [0, 0]
  const weigh = (name: string, value: unknown) => {
    if (name !== 'base64') return name === 'strokes' ? undefined : value
    pictures += String(value).length
    return undefined
  }
  return (part) => {
    words += JSON.stringify(part, weigh).length
    if (words > MOST_WORDS) throw problem.conflict(`These documents are too much for one file. ${TOO_MUCH}`)
    if (pictures > MOST_PICTURES)
      throw problem.conflict(`The pictures of these documents are too much for one file. ${TOO_MUCH}`)
  }
}

/** Documents as one PDF: a cover with their contents, pages that are numbered through, a bookmark for each. */
export const renderPack = (cover: PackCover, parts: readonly PackPart[], client: number): Promise<Buffer> =>
  renderPdf({
    template: new URL('./pack.typ', import.meta.url),
    client,
    title: cover.title,
    data: {
      pack: cover,
      parts: parts.map(({ template, ...part }, i) => ({ ...part, template: templateAt(template), part: i + 1 })),
    },
  })
