import { feature } from '#server/engine/module.ts'
import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { readReference } from '#server/seed/reference.ts'
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

/** The law on reports of accidents is that of Great Britain. */
const RIDDOR = ['England', 'Scotland', 'Wales']

const placesReference: Reference = {
  name: 'places',
  needs: [],
  edition: 1,
  load: async (c) => {
    const { rows }: { readonly rows: readonly Row[] } = readReference('local-authorities.json')
    await addMissing(
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

export const places = feature({
  pack: 'safety',
  resources: [localAuthority],
  referenceData: [placesReference],
})
