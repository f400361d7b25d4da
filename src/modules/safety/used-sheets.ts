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

/** The data sheet of a substance, as far as the file's rules ask: it is read by whoever reads the substance. */
export const sheetOfSubstance = resource({
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
