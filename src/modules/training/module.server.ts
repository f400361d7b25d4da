import { joinFeatures } from '#server/engine/module.ts'
import { bookings } from './bookings/session.server.ts'
import { certificates } from './certificates/proposals.server.ts'
import { courses } from './courses/course.server.ts'
import { matrix } from './matrix/matrix.server.ts'
import { trainingNav } from './nav.ts'
import { plan } from './plan/plan.server.ts'
import { records } from './records/record.server.ts'

export const trainingModule = joinFeatures('training', [
  { navigation: trainingNav, seeds: () => import('./demo.server.ts') },
  courses,
  records,
  matrix,
  plan,
  bookings,
  certificates,
])
