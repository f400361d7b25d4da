import type { Navigation } from '#kernel/navigation.ts'
import { AUTHORS } from '#modules/documents/rights.ts'

/** What is asked of subcontractors. */
export const requestsNav: Navigation = {
  path: '/safety/rams/requests',
  title: 'RAMS requests',
  icon: 'mail',
  order: 8.5,
  allow: AUTHORS,
  area: 'Safety',
  pack: 'safety',
}

/** What the link of a letter opens, without signing in. */
export const SENDING = '/rams-asked'
