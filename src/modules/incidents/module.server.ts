import { joinFeatures } from '#server/engine/module.ts'
import { incidentAnalysis } from './analysis/feature.server.ts'
import { composedReference } from './composed/composed.server.ts'
import { incidentFullExport } from './full-export/full-export.server.ts'
import { incidentLookups } from './lookups/lookups.server.ts'
import { incidentsNav } from './nav.ts'
import { incidentPrints } from './printing/prints.server.ts'
import { incidentReports } from './reports/feature.server.ts'
import { incidentRiddor } from './riddor/feature.server.ts'
import { incidentReportSettings } from './settings/settings.server.ts'
import { incidentSickness } from './sickness/sickness.server.ts'
import { incidentSiteLinks } from './site-links/site-links.server.ts'
import { incidentStatements } from './statements/link.server.ts'

export const incidentsModule = joinFeatures('incidents', [
  { navigation: incidentsNav, seeds: () => import('./demo.server.ts') },
  incidentAnalysis,
  incidentLookups,
  incidentReports,
  incidentPrints,
  incidentFullExport,
  composedReference,
  incidentReportSettings,
  incidentRiddor,
  incidentSickness,
  incidentSiteLinks,
  incidentStatements,
])
