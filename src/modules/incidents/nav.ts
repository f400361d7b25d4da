import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { INCIDENT_PATHS } from './reports/paths.ts'
import { INCIDENT_BOOK_ROLES, INCIDENT_REPORTER_ROLES } from './rights.ts'

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
  sites: {
    path: INCIDENT_PATHS.sites,
    title: 'Sites and QR posters',
    icon: 'alert',
    order: 1,
    tabOf: INCIDENT_PATHS.book,
    allow: DOCUMENT_APPROVER_ROLES,
    area: 'Incidents',
    pack: 'safety',
  },
  departments: {
    path: INCIDENT_PATHS.departments,
    title: 'Departments',
    icon: 'alert',
    order: 2,
    tabOf: INCIDENT_PATHS.book,
    allow: DOCUMENT_APPROVER_ROLES,
    area: 'Incidents',
    pack: 'safety',
  },
  reporting: {
    path: INCIDENT_PATHS.reporting,
    title: 'Reporting',
    icon: 'alert',
    order: 3,
    tabOf: INCIDENT_PATHS.book,
    allow: DOCUMENT_APPROVER_ROLES,
    area: 'Incidents',
    pack: 'safety',
  },
  analysis: {
    path: INCIDENT_PATHS.analysis,
    title: 'Analysis',
    icon: 'chart',
    order: 4,
    allow: INCIDENT_BOOK_ROLES,
    area: 'Incidents',
    pack: 'safety',
  },
  workforce: {
    path: INCIDENT_PATHS.workforce,
    title: 'Hours and employees',
    icon: 'users',
    order: 5,
    tabOf: INCIDENT_PATHS.analysis,
    allow: INCIDENT_BOOK_ROLES,
    area: 'Incidents',
    pack: 'safety',
  },
} as const satisfies Record<string, NavigationEntry>
