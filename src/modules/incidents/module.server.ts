import { joinFeatures } from '#server/engine/module.ts'
import { incidentLookups } from './lookups/lookups.server.ts'
import { incidentsNav } from './nav.ts'
import { incidentReports } from './reports/feature.server.ts'

export const incidentsModule = joinFeatures('incidents', [
  { navigation: incidentsNav },
  incidentLookups,
  incidentReports,
])
