import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_APPROVER_ROLES } from '../rights.ts'

export const SAFETY_SETTINGS_NAV: NavigationEntry = {
  path: '/safety/Settings',
  title: 'Safety settings',
  area: 'Settings',
  icon: 'clipboard',
  order: 14,
  allow: DOCUMENT_APPROVER_ROLES,
  pack: 'safety',
}
