import type { ReferenceData } from '#server/engine/initial-data.ts'
import { joinFeatures } from '#server/engine/module.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { leadAssignment } from './assigning/routes.server.ts'
import { crmClients } from './clients/setup.server.ts'
import { contacts } from './contacts/contact.server.ts'
import { businessType, city, leadSource } from './contacts/import-batch.ts'
import { doNotCall } from './do-not-call/do-not-call.server.ts'
import { duplicates } from './duplicates/routes.server.ts'
import { leadFiles } from './files/files.server.ts'
import { imports } from './imports/import.server.ts'
import { callbacks } from './leads/callback-notice.server.ts'
import { letters } from './letters/routes.server.ts'
import { mail } from './mail/routes.server.ts'
import { leadMerging } from './merging/merge.server.ts'
import { crmNav } from './nav.ts'
import { outcomeSimulation } from './outcome-simulation/rehearsal.server.ts'
import { DEFAULT_OUTCOMES, outcomes } from './outcomes/outcome.server.ts'
import { callOutcome } from './outcomes/outcome.ts'
import { people } from './people/person.server.ts'
import { receivedMail } from './received-mail/receive.server.ts'
import { siteVisits } from './site-visits/site-visit.server.ts'
import { staffFeature } from './staff/new-staff.server.ts'
import { staff } from './staff/staff.ts'
import { formatTrayStaffName, TRAY_LABELS } from './staff/trays.ts'
import { supportTime } from './support-time/routes.server.ts'
import { timeline } from './timeline/routes.server.ts'

/** Lead sources that are treated as online. */
const WEB: readonly string[] = ['Website', 'Social media']

interface BusinessType {
  readonly name: string
  readonly section: string
}

/** Reference data for leads: outcomes, business types, sources, cities and trays (staff records without a person). */
const leadReferenceData: ReferenceData = {
  name: 'leads',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const types: readonly BusinessType[] = readReferenceFile('business-types.json')
    const sources: readonly string[] = readReferenceFile('came-froms.json')
    const cities: readonly (readonly [name: string, county: string])[] = readReferenceFile('cities.json')
    await insertMissingRows(c, callOutcome, 'id', DEFAULT_OUTCOMES)
    await insertMissingRows(c, businessType, 'name', types)
    await insertMissingRows(
      c,
      leadSource,
      'name',
      sources.map((name) => ({ name, web: WEB.includes(name) })),
    )
    await insertMissingRows(
      c,
      city,
      'name',
      cities.map(([name, county]) => ({ name, county })),
    )
    await insertMissingRows(
      c,
      staff,
      'username',
      Object.keys(TRAY_LABELS).map((username) => ({ username, name: formatTrayStaffName(username), tray: true })),
    )
  },
}

export const crmModule = joinFeatures('crm', [
  { navigation: crmNav, referenceData: [leadReferenceData], seeds: () => import('./demo.server.ts') },
  contacts,
  outcomes,
  outcomeSimulation,
  callbacks,
  leadAssignment,
  people,
  timeline,
  leadFiles,
  imports,
  duplicates,
  leadMerging,
  doNotCall,
  staffFeature,
  crmClients,
  mail,
  receivedMail,
  letters,
  supportTime,
  siteVisits,
])
