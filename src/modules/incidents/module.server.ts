import { joinFeatures } from '#server/engine/module.ts'
import { incidentAnalysis } from './analysis/feature.server.ts'
import { incidentLookups } from './lookups/lookups.server.ts'
import { incidentsNav } from './nav.ts'
import { incidentReports } from './reports/feature.server.ts'
import { incidentRiddor } from './riddor/feature.server.ts'
import { incidentSiteLinks } from './site-links/site-links.server.ts'

export const incidentsModule = joinFeatures('incidents', [
  { navigation: incidentsNav },
  incidentAnalysis,
  incidentLookups,
  incidentReports,
  incidentRiddor,
  incidentSiteLinks,
])
