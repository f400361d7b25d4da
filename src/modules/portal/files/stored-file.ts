import { instant, integer, text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/** What only the server knows. */
export const inside = { readonly: true, visible: 'nobody' } as const
const always = { readonly: true, notNull: true } as const

/** What is known of an uploaded file, and where its bytes are, whatever it belongs to. */
export const storedFields = {
  /** MIME type, by the file's content. */
  type: text({ ...always, filter: 'start', order: true }),
  /** Bytes. */
  size: integer({ ...always, order: true }),
  /** Pixels, of a picture as it stands upright. */
  width: integer({ readonly: true }),
  height: integer({ readonly: true }),
  /** SHA-256 of the file as it was uploaded, hexadecimal. */
  checksum: text({ ...always, filter: true }),
  author: text({ readonly: true, stamp: 'author', filter: true, order: true, label: 'Uploaded by' }),
  createdAt: instant({ readonly: true, filter: true, order: true, label: 'Uploaded' }),
  /** Where its bytes are: of a picture, as it is shown; `?original=true` gives what was uploaded. */
  url: text({ readonly: true }),
  /** Of a picture, at most 320 pixels wide and high. */
  thumbnailUrl: text({ readonly: true }),
  userId: integer(inside),
  fileKey: text({ ...inside, notNull: true }),
  viewKey: text(inside),
  viewType: text(inside),
  viewSize: integer(inside),
  thumbnailKey: text(inside),
} as const

/** A declaration whose records are files: their bytes are sent and received by the same rules. */
export type FileResource = Resource<typeof storedFields & { readonly name: ReturnType<typeof text> }>
