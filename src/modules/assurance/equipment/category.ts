import { choice, flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { EQUIPMENT_READER_ROLES } from '../rights.ts'

/** Category of equipment of the reference data, with its usual check and the law or guidance for it. */
export const equipmentCategory = resource({
  type: 'EquipmentCategory',
  service: 'safety',
  path: 'equipment_categories',
  table: 'equipment_category',
  tenant: 'shared',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  pack: 'safety',
  fields: {
    name: text({ required: true, max: 200, filter: 'partial', order: true, label: 'Category' }),
    examples: text({ default: '', max: 500 }),
    checkName: text({ required: true, max: 200, label: 'Usual check' }),
    intervalMonths: integer({ min: 1, label: 'Every (months)' }),
    intervalDays: integer({ min: 1, label: 'Every (days)' }),
    beforeFirstUse: flag(),
    basis: choice(
      [
        { value: 'law', label: 'Law' },
        { value: 'guidance', label: 'Guidance' },
        { value: 'standard', label: 'British Standard' },
        { value: 'composed', label: 'Suggested; the law states no interval' },
      ],
      { required: true },
    ),
    reference: text({ default: '', max: 300, label: 'Law or guidance' }),
    records: text({ default: '', max: 500, label: 'Records are stored' }),
    /** Years for which reports must be stored at least; null if the rule has another end. */
    keepYears: integer({ min: 1 }),
    notes: text({ default: '', max: 500 }),
    retired: flag({ filter: true }),
  },
  allow: { read: EQUIPMENT_READER_ROLES },
})
