import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { readReference } from '#server/seed/reference.ts'
import { businessType, cameFrom, city } from './contacts/import-batch.ts'
import { DEFAULT_OUTCOMES } from './outcomes/delivered.server.ts'
import { callOutcome } from './outcomes/outcome.ts'
import { staff } from './staff/staff.ts'
import { TRAY_LABELS, trayStaffName } from './staff/trays.ts'

/** Lead sources that count as online. */
const WEB: readonly string[] = ['Website', 'Social media']

interface BusinessType {
  readonly name: string
  readonly section: string
}

/** Reference data of leads: lists and trays. */
export const leadReference: Reference = {
  name: 'leads',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const types: readonly BusinessType[] = readReference('business-types.json')
    const sources: readonly string[] = readReference('came-froms.json')
    const cities: readonly (readonly [name: string, county: string])[] = readReference('cities.json')
    await addMissing(c, callOutcome, 'id', DEFAULT_OUTCOMES)
    await addMissing(c, businessType, 'name', types)
    await addMissing(
      c,
      cameFrom,
      'name',
      sources.map((name) => ({ name, web: WEB.includes(name) })),
    )
    await addMissing(
      c,
      city,
      'name',
      cities.map(([name, county]) => ({ name, county })),
    )
    await addMissing(
      c,
      staff,
      'username',
      Object.keys(TRAY_LABELS).map((username) => ({ username, name: trayStaffName(username), tray: true })),
    )
  },
}
