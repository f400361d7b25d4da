import type { NavigationEntry } from '#kernel/packs.ts'
import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'
import { STAFF_ROLE, TRAINING_ROLES } from './rights.ts'

const MATRIX = '/sfp/training-records'
const SESSIONS = '/cms/training-bookings'
const forStaff = { area: 'Clients', icon: 'school', allow: STAFF_ROLE } as const
const inTraining = { area: 'People', pack: 'safety', icon: 'school' } as const
const ofMatrix = { ...inTraining, tabOf: MATRIX } as const

export const trainingNav = {
  matrix: { ...inTraining, path: MATRIX, title: 'Training', order: 14, allow: EMPLOYEE_READER_ROLES },
  courses: { ...ofMatrix, path: `${MATRIX}/courses`, title: 'Courses', order: 15, allow: TRAINING_ROLES },
  requirements: {
    ...ofMatrix,
    path: `${MATRIX}/requirements`,
    title: 'Requirements',
    order: 16,
    allow: TRAINING_ROLES,
  },
  plan: { ...ofMatrix, path: '/ffe/training', title: 'Training plan', order: 17, allow: EMPLOYEE_READER_ROLES },
  certificates: {
    ...ofMatrix,
    path: `${MATRIX}/certificates`,
    title: 'Certificates',
    order: 19,
    allow: TRAINING_ROLES,
  },
  sessions: { ...ofMatrix, path: `${MATRIX}/sessions`, title: 'Sessions', order: 18, allow: TRAINING_ROLES },
  providerSessions: { ...forStaff, path: SESSIONS, title: 'Training sessions', order: 10 },
  ownStaff: { ...forStaff, path: '/cms/training', tabOf: SESSIONS, title: 'Own staff', order: 10.5 },
} as const satisfies Record<string, NavigationEntry>
