import { screens } from '#web/shell/manifest/module.ts'
import {
  INCIDENT_PATHS,
  REPORTS_URL,
  SETTINGS_URL,
  SITE_REPORT_PATH,
  SITES_URL,
  STATEMENT_PATH,
} from '../reports/paths.ts'
import { INCIDENT_REPORTER_ROLES } from '../rights.ts'

const reportPage = (path: string, title: string, begins: string) =>
  ({
    path,
    title,
    begins,
    allow: INCIDENT_REPORTER_ROLES,
    pack: 'safety',
    writes: true,
    under: INCIDENT_PATHS.book,
    availableOffline: 'typed',
    asks: [`${SITES_URL}?retired=false&pagination=false`],
    load: () => import('./report.web.tsx'),
  }) as const

/** Pages on which people with an account and visitors report incidents, and on which a witness gives a statement. */
export const incidentReporting = screens({
  pages: [
    reportPage(INCIDENT_PATHS.report, 'Report an accident', 'Report an accident'),
    reportPage(INCIDENT_PATHS.reportNearMiss, 'Report a near miss', 'Report a near miss'),
    {
      path: `${SITE_REPORT_PATH}/:token`,
      title: 'Report an accident or a near miss',
      layout: 'blank',
      open: true,
      load: () => import('../site-links/page.web.tsx'),
    },
    {
      path: `${STATEMENT_PATH}/:token`,
      title: 'Your statement',
      layout: 'blank',
      open: true,
      load: () => import('../statements/page.web.tsx'),
    },
  ],
  availableOffline: [SITES_URL, SETTINGS_URL, REPORTS_URL],
})
