import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'

export const actionsNav = {
  register: {
    path: '/safety/actions',
    title: 'Corrective actions',
    icon: 'clipboard',
    order: 9,
    tabOf: '/sfp/overview',
    allow: DOCUMENT_READER_ROLES,
    area: 'Documents',
    pack: 'safety',
  },
} as const satisfies Record<string, NavigationEntry>

export const correctiveActionPath = (id: number): string => `${actionsNav.register.path}?open=${id}`
