import { instant, integer, json, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHORS, DOCUMENT_PART_RULES } from '../rights.ts'
import { document } from './document.ts'

const inside = { readonly: true, visible: 'nobody' } as const

/** A stored PDF of a sealed revision, one per event, with its checksum in the client's chain. */
export const documentPrint = resource({
  type: 'DocumentPrint',
  service: 'safety',
  path: 'document_prints',
  table: 'document_print',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    document: link(() => document, { readonly: true, filter: true }),
    /** SHA-256 of the file, hexadecimal. */
    checksum: text({ readonly: true, filter: true }),
    bytes: integer({ readonly: true }),
    createdAt: instant({ column: 'at', readonly: true }),
    stands: integer(inside),
    material: json(inside),
    fileKey: text(inside),
  },
  allow: { read: DOCUMENT_AUTHORS, rows: DOCUMENT_PART_RULES },
  pack: 'safety',
})
