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

/** Path of the page that the link in the e-mail opens. The page needs no sign-in. */
export const ACTION_LINK_PATH = '/action'

export const correctiveActionPath = (id: number): string => `${actionsNav.register.path}?open=${id}`
