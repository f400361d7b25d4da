import type { Navigation } from '#kernel/navigation.ts'
import { APPROVERS } from '../rights.ts'

export const SETTINGS: Navigation = {
  path: '/safety/Settings',
  title: 'Safety settings',
  area: 'Safety',
  icon: 'settings',
  order: 14,
  allow: APPROVERS,
  pack: 'safety',
}
