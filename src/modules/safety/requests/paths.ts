import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'

export const ramsRequestsNav: NavigationEntry = {
  path: '/safety/rams/requests',
  title: 'RAMS requests',
  icon: 'mail',
  order: 4.1,
  tabOf: '/safety/rams',
  allow: DOCUMENT_AUTHOR_ROLES,
  area: 'Documents',
  pack: 'safety',
}

/** Path of the page that the link in the e-mail opens. The page needs no sign-in. */
export const RAMS_SENDING_PATH = '/rams-asked'
