/** Addresses of the accident book's screens (safety section 2). */
export const INCIDENT_PATHS = {
  book: '/safety/accident-book',
  view: '/safety/accident-book/view',
  update: '/safety/accident-book/update',
  create: '/sfp/accident-book/create',
  report: '/sfp/accident-book/report-accident',
  sites: '/safety/accident-book/sites',
  departments: '/safety/accident-book/departments',
  composedReference: '/safety/Settings/composed-reference',
  reporting: '/safety/accident-book/reporting',
  analysis: '/sfp/analysis',
  workforce: '/sfp/analysis/workforce',
  reportNearMiss: '/sfp/accident-book/report-near-miss',
} as const

export const incidentPath = (id: number): string => `${INCIDENT_PATHS.view}/${id}`

/** Path of the page that a site's QR code opens. The page needs no sign-in. */
export const SITE_REPORT_PATH = '/report'
/** Path of the page that the link of a witness opens. The page needs no sign-in. */
export const STATEMENT_PATH = '/witness-statement'

/** Addresses of the API that the phone form needs. They are stated here, so that the first screen loads no declarations. */
export const REPORTS_URL = '/api/safety/incident_reports'
export const SITES_URL = '/api/safety/incident_sites'
export const SETTINGS_URL = '/api/safety/incident_settings'
