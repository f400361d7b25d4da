import type { Navigation } from '#kernel/navigation.ts'
import { APPROVERS } from '../rights.ts'

/** The screen on which a company says how its safety documents are approved. */
export const SETTINGS: Navigation = {
  path: '/safety/Settings',
  title: 'Safety settings',
  area: 'Safety',
  icon: 'settings',
  order: 14,
  allow: APPROVERS,
  pack: 'safety',
}
