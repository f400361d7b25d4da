import { Problem } from '#kernel/errors.ts'
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

/** How much there is to print: characters of words and of pictures. */
export interface Weight {
  readonly words: number
  readonly pictures: number
}

export function weightOf(part: PackPart): Weight {
  let pictures = 0
  const weigh = (name: string, value: unknown) => {
    if (name !== 'base64') return name === 'strokes' ? undefined : value
    pictures += String(value).length
    return undefined
  }
  return { words: JSON.stringify(part, weigh).length, pictures }
}

/**
 * Watches over what is put together, part by part, so that no more is held than one file takes. The function that it gives throws 413
 * for the part that is too much.
 */
export function limitPackSize(): (part: PackPart) => void {
  let [words, pictures] = [0, 0]
  return (part) => {
    const more = weightOf(part)
    words += more.words
    pictures += more.pictures
    if (words > MOST_WORDS) throw tooMuch('These documents are')
    if (pictures > MOST_PICTURES) throw tooMuch('The pictures of these documents are')
  }
}

const tooMuch = (what: string) =>
  new Problem(413, `${what} too much to be put together while somebody waits. A pack of any size is begun as a run.`)

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

/** A document of a pack as its contents name it. */
export interface PackEntry extends Pick<Furniture, 'number' | 'title' | 'revision' | 'state' | 'seal'> {
  /** Its number in the pack, from 1. */
  readonly part: number
  /** The page that it begins on. */
  readonly page: number
}

/** The first pages of a pack that is made in portions, to be joined with them. */
export const renderPackFront = (cover: PackCover, parts: readonly PackEntry[], client: number): Promise<Buffer> =>
  renderPdf({
    template: new URL('./pack-front.typ', import.meta.url),
    client,
    title: cover.title,
    data: { pack: cover, parts },
  })

/** A portion of a pack: where it goes on, and what is in it. */
export interface Portion {
  /** The number of its first page. */
  readonly from: number
  /** The number of its first document. */
  readonly first: number
  /** How many pages all portions have, once that is known. */
  readonly of: number | null
  readonly parts: readonly PackPart[]
  readonly images: PackCover['images']
}

/** Some documents of a pack on pages that go on from those before them, to be joined with the others. */
export const renderPortion = (
  cover: Pick<PackCover, 'title' | 'author'>,
  { from, first, of, parts, images }: Portion,
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
      parts: parts.map(({ template, ...part }, i) => ({ ...part, template: templateAt(template), part: first + i })),
    },
  })
