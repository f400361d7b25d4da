import { joinFeatures } from '#server/engine/module.ts'
import { employees } from './employees/employee.server.ts'
import { leave } from './leave/feature.server.ts'
import { leaveCalendar } from './leave-calendar/feature.server.ts'
import { sickness } from './sickness/sickness.server.ts'

export const peopleModule = joinFeatures('people', [employees, leave, leaveCalendar, sickness])
