import type { NavigationEntry } from '#kernel/packs.ts'
import { EQUIPMENT_READER_ROLES } from './rights.ts'

export const assuranceNav = {
  equipment: {
    path: '/sfp/equipment-register',
    title: 'Equipment',
    area: 'Documents',
    icon: 'check',
    order: 9.5,
    tabOf: '/sfp/overview',
    allow: EQUIPMENT_READER_ROLES,
    pack: 'safety',
  },
} as const satisfies Record<string, NavigationEntry>

/** Path of the public page that the QR code of a label opens. */
export const LABEL_PATH = '/equipment'

export const equipmentItemPath = (id: number | string): string => `${assuranceNav.equipment.path}/${id}`
