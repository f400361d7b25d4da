import { joinFeatures } from '#server/engine/module.ts'
import { employees } from './employees/employee.server.ts'
import { jobs } from './jobs/employee-job.server.ts'
import { peopleNav } from './nav.ts'
import { overview } from './overview/overview.server.ts'
import { setup } from './setup/setup-ffe.server.ts'

export const peopleModule = joinFeatures('people', [{ navigation: peopleNav }, employees, jobs, overview, setup])
