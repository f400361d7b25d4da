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
