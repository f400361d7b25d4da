import { flag, integer, link } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

const readSubstance = resource({
  type: 'Substance',
  service: 'safety',
  path: 'substances',
  table: 'substance',
  tenant: 'own or template',
  fields: { retired: flag({ readonly: true }) },
  allow: { read: 'member' },
  pack: 'safety',
})

/**
 * Substance with the columns that the access rules of its data sheet need: everyone who can read it can read the sheet.
 */
export const substanceForFileAccess = resource({
  type: 'Substance',
  service: 'safety',
  path: 'substances',
  table: 'substance',
  tenant: 'own or template',
  fields: {
    substance: link(() => readSubstance, { column: 'id', readonly: true, notNull: true }),
    sheet: integer({ column: 'sheet_id', readonly: true }),
  },
  allow: { read: 'nobody' },
})
