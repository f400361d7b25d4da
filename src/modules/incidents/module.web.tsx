import { SAFETY_SETTINGS_NAV } from '#modules/documents/approval/settings-nav.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { buildWebModule } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withRecordPanels } from '#web/shell/manifest/panels.tsx'
import { incidentsNav } from './nav.ts'
import { incidentReporting } from './phone/screens.web.ts'
import { INCIDENT_PATHS } from './reports/paths.ts'
import { INCIDENT_REPORTER_ROLES } from './rights.ts'

const ofBook = { allow: INCIDENT_REPORTER_ROLES, pack: 'safety', under: INCIDENT_PATHS.book } as const

/** Further path of a screen, defined by the specification. */
const redirectPage = (path: string, redirect: string): Page => ({
  path,
  title: 'Accident book',
  redirect,
  allow: INCIDENT_REPORTER_ROLES,
  pack: 'safety',
})

export const incidentsWebModule = buildWebModule([
  {
    pages: [
      { ...pageFromNavigation(incidentsNav.book), load: () => import('./book/list.web.tsx') },
      { ...pageFromNavigation(incidentsNav.sites), load: () => import('./settings/sites.web.tsx') },
      { ...pageFromNavigation(incidentsNav.departments), load: () => import('./settings/departments.web.tsx') },
      { ...pageFromNavigation(incidentsNav.reporting), load: () => import('./settings/reporting.web.tsx') },
      { ...pageFromNavigation(incidentsNav.analysis), load: () => import('./analysis/analysis.web.tsx') },
      { ...pageFromNavigation(incidentsNav.workforce), load: () => import('./analysis/workforce.web.tsx') },
      {
        ...ofBook,
        path: `${INCIDENT_PATHS.view}/:slug`,
        title: 'Incident',
        recordsAt: '/api/safety/incident_reports',
        load: withRecordPanels('IncidentReport', () => import('./book/view.web.tsx')),
      },
      {
        ...ofBook,
        path: `${INCIDENT_PATHS.update}/:slug`,
        title: 'Entry',
        writes: true,
        load: () => import('./book/editor.web.tsx'),
      },
      {
        ...ofBook,
        path: INCIDENT_PATHS.create,
        title: 'New entry',
        begins: 'New accident book entry',
        writes: true,
        load: () => import('./book/create.web.tsx'),
      },
      {
        path: INCIDENT_PATHS.composedReference,
        title: 'Composed reference',
        under: SAFETY_SETTINGS_NAV.path,
        allow: DOCUMENT_APPROVER_ROLES,
        pack: 'safety',
        load: () => import('./composed/page.web.tsx'),
      },
      redirectPage('/sfp/accident-book/index-1', INCIDENT_PATHS.book),
      redirectPage('/sfp/accident-book/report-accident-1', INCIDENT_PATHS.report),
      redirectPage('/sfp/accident-book/nearmiss', INCIDENT_PATHS.reportNearMiss),
      redirectPage('/sfp/accident-book/update/:slug', `${INCIDENT_PATHS.update}/:slug`),
    ],
    panels: [recordPanel({ of: 'SafetySettings', order: 20, load: () => import('./composed/settings-card.web.tsx') })],
    dashboard: () => import('./dashboard.web.tsx'),
    search: () => import('./search.web.ts'),
    help: () => import('./help.web.ts'),
  },
  incidentReporting,
])
