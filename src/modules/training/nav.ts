import type { NavigationEntry } from '#kernel/packs.ts'
import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'
import { TRAINING_ROLES } from './rights.ts'

const MATRIX = '/sfp/training-records'
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
} as const satisfies Record<string, NavigationEntry>
