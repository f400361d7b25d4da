import type { NavigationEntry } from '#kernel/packs.ts'
import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'
import { TRAINING_ROLES } from './rights.ts'

const TRAINING_PATHS = {
  matrix: '/sfp/training-records',
  courses: '/sfp/training-records/courses',
  requirements: '/sfp/training-records/requirements',
  plan: '/ffe/training',
} as const

const inTraining = { area: 'People', pack: 'safety', icon: 'school' } as const

export const trainingNav = {
  matrix: { ...inTraining, path: TRAINING_PATHS.matrix, title: 'Training', order: 14, allow: EMPLOYEE_READER_ROLES },
  courses: {
    ...inTraining,
    path: TRAINING_PATHS.courses,
    title: 'Courses',
    order: 15,
    tabOf: TRAINING_PATHS.matrix,
    allow: TRAINING_ROLES,
  },
  requirements: {
    ...inTraining,
    path: TRAINING_PATHS.requirements,
    title: 'Requirements',
    order: 16,
    tabOf: TRAINING_PATHS.matrix,
    allow: TRAINING_ROLES,
  },
  plan: {
    ...inTraining,
    path: TRAINING_PATHS.plan,
    title: 'Plan and cost',
    order: 17,
    tabOf: TRAINING_PATHS.matrix,
    allow: EMPLOYEE_READER_ROLES,
  },
} as const satisfies Record<string, NavigationEntry>
