import { flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'
import { fileReference, readDocument } from '#rooms/documents/used-files.ts'
import { client } from '../clients/client.ts'
import { documentFolder, FILE_ADMINS, FILE_KEEPERS, FILE_PEOPLE } from './document-folder.ts'

const inside = { readonly: true, visible: 'nobody' } as const
const always = { readonly: true, always: true } as const

const readable = only.either(
  only.mine('userId'),
  only.templates('client'),
  only.ofReadable('folder'),
  only.usedBy(() => fileReference, { as: 'file', by: 'document' }),
  only.namedBy(() => readDocument, { column: 'files' }),
)

/**
 * A file is read by whoever brought it, by those who read its folder, and with the document that uses it; in no folder, by nobody
 * else but those who keep all files of the company. Who does not write documents changes their own.
 */
const SEEN: readonly RowRule[] = [
  { unless: FILE_ADMINS, only: readable },
  { unless: FILE_KEEPERS, only: only.mine('userId'), verbs: ['update'] },
]

/**
 * A file that somebody uploaded. It is made by `POST /api/safety/uploads/{client}`, retired and never removed. Records of
 * other kinds refer to it and pass the reference on when they are copied, so client 0's can be read by everybody.
 */
export const uploadedDocument = resource({
  type: 'UploadedDocument',
  service: 'safety',
  path: 'uploaded_documents',
  table: 'uploaded_document',
  tenant: 'own or template',
  title: 'name',
  order: ['-id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    name: text({ ...always, search: true, filter: 'partial', order: true }),
    label: text({ default: '', search: true, order: true, max: 200 }),
    folder: link(() => documentFolder, { filter: true }),
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
    retired: flag({ filter: true }),
    /** Where its bytes are: of a picture, as it is shown; `?original=true` gives what was uploaded. */
    url: text({ readonly: true }),
    /** Of a picture, at most 320 pixels wide and high. */
    thumbnailUrl: text({ readonly: true }),
    userId: integer(inside),
    fileKey: text({ ...inside, always: true }),
    viewKey: text(inside),
    viewType: text(inside),
    viewSize: integer(inside),
    thumbnailKey: text(inside),
  },
  allow: { read: FILE_PEOPLE, update: FILE_PEOPLE, rows: SEEN },
})
