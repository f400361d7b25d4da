import { defineEvidence } from '#kernel/evidence.ts'
import { instant, integer, json, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_AUTHOR_ROLES } from '../rights.ts'

/** A stored pack: several sealed revisions as one PDF, with its checksum in the client's audit chain. */
export const documentPack = resource({
  type: 'DocumentPack',
  service: 'safety',
  path: 'document_packs',
  table: 'document_pack',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    title: text({ readonly: true, notNull: true }),
    /** Contents when the pack was created: revisions with seals, files with checksums. */
    parts: json({ readonly: true, omitFromLists: true }),
    /** SHA-256 of the file in hexadecimal. */
    checksum: text({ readonly: true, filter: true }),
    bytes: integer({ readonly: true }),
    author: text({ person: true, readonly: true }),
    createdAt: instant({ column: 'at', readonly: true }),
    madeOf: text({ readonly: true, visible: 'nobody' }),
    fileKey: text({ readonly: true, visible: 'nobody' }),
  },
  // Only approvers and the pack's author may read it, because its title and contents may name documents with a
  // restricted audience.
  allow: { read: DOCUMENT_AUTHOR_ROLES, rows: [{ unless: DOCUMENT_APPROVER_ROLES, only: only.mine('author') }] },
  pack: 'safety',
})

/** Evidence specification that seals a pack's contents and checksum when the pack is created. */
export const packEvidence = defineEvidence({
  of: documentPack,
  named: ({ title }) => `The pack "${String(title)}"`,
  claims: 'true',
  rows: [],
  file: { key: 'file_key', checksum: 'checksum' },
  events: { made: { columns: ['title', 'made_of', 'parts', 'checksum', 'bytes', 'file_key', 'author', 'at'] } },
})
