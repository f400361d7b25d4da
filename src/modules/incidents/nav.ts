import type { NavigationEntry } from '#kernel/packs.ts'
import { INCIDENT_PATHS } from './reports/paths.ts'
import { INCIDENT_REPORTER_ROLES } from './rights.ts'

export const incidentsNav = {
  book: {
    path: INCIDENT_PATHS.book,
    title: 'Accident book',
    icon: 'alert',
    order: 0,
    allow: INCIDENT_REPORTER_ROLES,
    area: 'Incidents',
    pack: 'safety',
  },
} as const satisfies Record<string, NavigationEntry>
