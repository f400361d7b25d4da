import { flag, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'

/**
 * Completed form with only the columns needed to check access to its files. Everyone who can read the completed form
 * can read its files.
 */
export const formAnswerForFileAccess = resource({
  type: 'CustomFormAnswer',
  service: 'safety',
  path: 'custom_form_answers',
  table: 'custom_form_answer',
  tenant: 'own',
  fields: { author: text({ readonly: true, notNull: true }) },
  allow: { read: DOCUMENT_READER_ROLES, rows: [{ unless: DOCUMENT_AUTHOR_ROLES, only: only.mine('author') }] },
  pack: 'safety',
})

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
 * Substance with only the columns needed to check access to its data sheet. Everyone who can read the substance can
 * read the data sheet.
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
