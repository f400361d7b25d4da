import type { Resource } from '#kernel/resource.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { lookups } from './lookup.ts'

const incidentLookupReference: ReferenceData = {
  name: 'incident lookups',
  needs: [],
  edition: 2,
  load: async (c) => {
    const rows: Readonly<Record<keyof typeof lookups, readonly { readonly id: number }[]>> =
      readReferenceFile('incident-lookups.json')
    for (const [key, r] of Object.entries(lookups) as [keyof typeof lookups, Resource][])
      await insertMissingRows(c, r, 'id', rows[key])
  },
}

export const incidentLookups = feature({
  pack: 'safety',
  resources: Object.values(lookups),
  referenceData: [incidentLookupReference],
})
