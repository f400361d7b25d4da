import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { localAuthority } from './local-authority.ts'

type Row = readonly [
  name: string,
  officialName: string,
  gssCode: string,
  numericCode: number,
  type: string,
  region: string,
  areaId: number,
  area: string,
  country: string,
]

/** Countries where RIDDOR applies. */
const RIDDOR = ['England', 'Scotland', 'Wales']

const placesReference: ReferenceData = {
  name: 'places',
  needs: [],
  edition: 1,
  load: async (c) => {
    const { rows }: { readonly rows: readonly Row[] } = readReferenceFile('local-authorities.json')
    await insertMissingRows(
      c,
      localAuthority,
      'gssCode',
      rows.map(([name, officialName, gssCode, numericCode, type, region, areaId, area, country]) => ({
        name,
        officialName,
        gssCode,
        numericCode,
        type,
        region,
        areaId,
        area,
        country,
        riddor: RIDDOR.includes(country),
      })),
    )
  },
}

export const localAuthoritiesFeature = feature({
  pack: 'safety',
  resources: [localAuthority],
  referenceData: [placesReference],
})
