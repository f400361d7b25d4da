import type { Navigation } from '#kernel/navigation.ts'
import { AUTHORS } from '#modules/documents/rights.ts'

export const requestsNav: Navigation = {
  path: '/safety/rams/requests',
  title: 'RAMS requests',
  icon: 'mail',
  order: 8.5,
  allow: AUTHORS,
  area: 'Safety',
  pack: 'safety',
}

/** Page opened by the link in the e-mail, without signing in. */
export const SENDING = '/rams-asked'
