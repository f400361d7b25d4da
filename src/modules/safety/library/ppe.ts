import { flag, link, longText, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { keepBothField } from '../statements/keep-both-flag.ts'
import { templateKey } from '../statements/statement.ts'

/** Available picture for protective equipment, with the equipment's category. */
export const availablePpe = resource({
  type: 'AvailablePpe',
  service: 'safety',
  path: 'available_ppes',
  table: 'available_ppe',
  tenant: 'shared',
  unpaginated: true,
  title: 'label',
  order: ['id'],
  fields: {
    label: text({ filter: 'partial', order: true }),
    image: text({ filter: true }),
    imagePath: text({ readonly: true }),
    category: text({ filter: true, order: true }),
    standard: text(),
    iso7010: text({ filter: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member' },
})

const KEEPERS = ['ROLE_CLIENT_ADMIN', 'ROLE_CLIENTS_ADMIN'] as const

/** Personal protective equipment that documents can require. */
export const ppe = resource({
  type: 'Ppe',
  service: 'safety',
  path: 'ppes',
  table: 'ppe',
  tenant: 'own or template',
  pack: 'safety',
  unpaginated: true,
  title: 'name',
  order: ['name'],
  bulk: ['retire'],
  fields: {
    name: text({ required: 'PPE Label must be entered', filter: 'partial', order: true, label: 'Label' }),
    description: longText({ default: '' }),
    image: text({ required: 'PPE Image must be selected', filter: true }),
    imagePath: text({ readonly: true }),
    category: text({ readonly: true, filter: true, order: true }),
    coshhValue: text({ default: '', filter: true, label: 'COSHH value' }),
    isStandardCoshh: flag({ filter: true, label: 'Offered in every COSHH assessment' }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    templateKey,
    retired: flag({ filter: true }),
    keepBoth: keepBothField,
  },
  allow: { read: 'member', create: KEEPERS, update: KEEPERS },
})

/** Categories of the picker, in display order. */
export const PPE_CATEGORIES = [
  'Masks/Respirators',
  'Protective Clothing',
  'Protective Footwear',
  'Headwear',
  'Harnesses',
  'Devices',
] as const

export type PpeRecord = RecordOf<typeof ppe>
