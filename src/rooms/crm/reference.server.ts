import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/world/fill.ts'
import { readReference } from '#server/world/reference.ts'
import { businessType, cameFrom, city, lastResult } from './contacts/lookups.ts'
import { TRAYS } from './staff/staff.server.ts'
import { staff } from './staff/staff.ts'

interface Result {
  readonly id: number
  readonly text: string
  readonly category: string
}
interface BusinessType {
  readonly name: string
  readonly section: string
}

/** What leads are sorted by, and the trays that they are put into. */
export const leadReference: Reference = {
  name: 'leads',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const results: readonly Result[] = readReference('last-results.json')
    const types: readonly BusinessType[] = readReference('business-types.json')
    const sources: readonly string[] = readReference('came-froms.json')
    const cities: readonly (readonly [name: string, county: string])[] = readReference('cities.json')
    await addMissing(c, lastResult, 'id', results)
    await addMissing(c, businessType, 'name', types)
    await addMissing(
      c,
      cameFrom,
      'name',
      sources.map((name) => ({ name })),
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
      Object.entries(TRAYS).map(([username, name]) => ({ username, name, tray: true })),
    )
  },
}
