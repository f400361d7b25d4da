import { instant, integer, text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/** For fields that only the server reads. */
export const INTERNAL_FIELD = { readonly: true, visible: 'nobody' } as const
const always = { readonly: true, notNull: true } as const

/** Fields of every uploaded file, with its storage keys. */
export const storedFileFields = {
  /** MIME type, detected from the content. */
  type: text({ ...always, filter: 'start', order: true }),
  /** Bytes. */
  size: integer({ ...always, order: true }),
  /** Pixels of a picture, after rotation. */
  width: integer({ readonly: true }),
  height: integer({ readonly: true }),
  /** SHA-256 of the uploaded file, hexadecimal. */
  checksum: text({ ...always, filter: true }),
  author: text({ readonly: true, stamp: 'author', filter: true, order: true, label: 'Uploaded by' }),
  createdAt: instant({ readonly: true, filter: true, order: true, label: 'Uploaded' }),
  /** URL of the content: for pictures the display version; `?original=true` returns the upload. */
  url: text({ readonly: true }),
  /** For pictures: at most 320 pixels wide and high. */
  thumbnailUrl: text({ readonly: true }),
  userId: integer(INTERNAL_FIELD),
  fileKey: text({ ...INTERNAL_FIELD, notNull: true }),
  viewKey: text(INTERNAL_FIELD),
  viewType: text(INTERNAL_FIELD),
  viewSize: integer(INTERNAL_FIELD),
  thumbnailKey: text(INTERNAL_FIELD),
} as const

/** A resource whose records are files; they share upload and download rules. */
export type FileResource = Resource<typeof storedFileFields & { readonly name: ReturnType<typeof text> }>
