import { integer, link } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { posterLinkFields } from '#modules/documents/signing-links/signing-link.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'

/**
 * Link in a site's QR code, by which visitors report incidents there. It can only create reports, and reveals nothing
 * about other reports.
 */
export const incidentSiteLink = resource({
  type: 'IncidentSiteLink',
  service: 'safety',
  path: 'incident_site_links',
  table: 'incident_site_link',
  tenant: 'own',
  order: ['-id'],
  fields: {
    site: link(() => incidentSite, { readonly: true, notNull: true, filter: true }),
    ...posterLinkFields,
    /** Number of reports sent with the link. */
    reported: integer({ readonly: true, notNull: true, default: 0 }),
  },
  allow: { read: 'nobody' },
  pack: 'safety',
})

/** Maximum number of reports by QR code at one site in a day. */
export const MAX_DAILY_SITE_REPORTS = 20
/** Maximum number of reports by QR code at one site from one network in an hour. */
export const MAX_HOURLY_NETWORK_REPORTS = 5
/** Number of days for which a poster works: by default, and at most. */
export const SITE_LINK_DAYS = { usual: 365, most: 1095 } as const

/** Site as shown to the holder of its QR code. */
export interface SharedSite {
  readonly '@id': string
  readonly '@type': 'SharedSite'
  readonly company: string
  readonly logo: string | null
  /** Reason why nothing can be reported with this link; empty if it can. */
  readonly sentence: string
  /** Name of the site; empty if the link no longer works. */
  readonly site: string
  /** Further answers that the company requires. */
  readonly requiredAnswers: readonly string[]
}

/** Receipt for a report by QR code. */
export interface SiteReportReceipt {
  readonly '@type': 'SiteReport'
  readonly number: string
  readonly reportedAt: string
}
