import { flag, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import { sicknessAbsence } from './sickness.ts'

/**
 * File of a doctor's statement of fitness for work, which states the reason of an absence. Each access to its content is
 * logged.
 */
export const fitNote = resource({
  type: 'FitNote',
  service: 'employees',
  path: 'fit_notes',
  table: 'fit_note',
  tenant: 'own',
  title: 'name',
  order: ['id'],
  fields: {
    ...storedFileFields,
    absence: link(() => sicknessAbsence, { readonly: true, notNull: true, filter: true }),
    name: text({ readonly: true, notNull: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: HR_PRIVATE_ROLE, update: HR_PRIVATE_ROLE },
  pack: 'holidays',
})
