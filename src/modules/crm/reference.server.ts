import type { ReferenceData } from '#server/engine/initial-data.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { businessType, city, leadSource } from './contacts/import-batch.ts'
import { DEFAULT_OUTCOMES } from './outcomes/outcome.server.ts'
import { callOutcome } from './outcomes/outcome.ts'
import { staff } from './staff/staff.ts'
import { TRAY_LABELS, trayStaffName } from './staff/trays.ts'

/** Lead sources that are treated as online. */
const WEB: readonly string[] = ['Website', 'Social media']

interface BusinessType {
  readonly name: string
  readonly section: string
}

/** Reference data for leads: outcomes, business types, sources, cities and trays (staff records without a person). */
export const leadReferenceData: ReferenceData = {
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
      Object.keys(TRAY_LABELS).map((username) => ({ username, name: trayStaffName(username), tray: true })),
    )
  },
}
