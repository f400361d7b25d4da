import { screens } from '#web/shell/manifest/module.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS } from '../reports/paths.ts'
import { INCIDENT_REPORTER_ROLES } from '../rights.ts'
import { incidentSite } from '../settings/incident-site.ts'
import { SITE_REPORT_PATH } from '../site-links/site-link.ts'

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
    asks: [`${incidentSite.url}?retired=false&pagination=false`],
    load: () => import('./report.web.tsx'),
  }) as const

/** Pages to report incidents: by people with an account, and by visitors with the QR code of a site. */
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
  ],
  availableOffline: [incidentSite.url, incidentReport.url],
})
