import { joinFeatures } from '#server/engine/module.ts'
import { employees } from './employees/employee.server.ts'

export const peopleModule = joinFeatures('people', [employees])
