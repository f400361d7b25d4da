import { flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'

/** District council and its area, used to record where an incident happened. */
const localAuthority = resource({
  type: 'LocalAuthority',
  service: 'safety',
  path: 'local_authorities',
  table: 'local_authority',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  order: ['country', 'areaId', 'name'],
  fields: {
    name: text({ filter: 'partial', order: true }),
    officialName: text(),
    /** Code assigned by the Office for National Statistics. `numericCode` contains the code's digits as a number. */
    gssCode: text({ filter: true }),
    numericCode: integer({ filter: true, order: true }),
    type: text({ filter: true }),
    region: text({ filter: true }),
    areaId: integer({ filter: true, order: true, label: 'Area number' }),
    area: text({ filter: 'partial', order: true }),
    country: text({ filter: true, order: true }),
    riddor: flag({ filter: true, label: 'RIDDOR applies' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member' },
})

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
