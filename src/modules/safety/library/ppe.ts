import { flag, link, longText, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { keepBothField } from '../statements/keep-both-flag.ts'
import { templateKey } from '../statements/statement.ts'

/** Available picture for PPE, with its category. */
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

/** PPE that documents can require. */
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
  allow: { read: 'member', create: KEEPERS, update: KEEPERS, whileImpersonating: ['create', 'update'] },
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

/** Pictures of equipment that is provided beside the work but is not worn, such as an eyewash bottle. */
const NOT_WORN_IMAGES: readonly unknown[] = [
  'M022',
  'edge-protection',
  'eyewash',
  'gas-detector',
  'lone-worker-alarm',
  'radio',
  'rescue-lift',
  'vibration-monitor',
]

/** Returns true if the item is PPE. Alarms, detectors and equipment that isn't worn are not PPE (PPER 1992, reg 3). */
export const isPpe = ({ image }: { readonly image?: unknown }): boolean => !NOT_WORN_IMAGES.includes(image)

export type PpeRecord = RecordOf<typeof ppe>
