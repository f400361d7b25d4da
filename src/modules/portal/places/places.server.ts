import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { country, ukCounty } from './country.ts'

type CountryRow = readonly [
  code: string,
  name: string,
  diallingCode: string,
  phoneMask: string,
  maskType: 'specification' | 'composed' | 'generic',
]
type CountyRow = readonly [name: string, country: string, nation: string, kind: string]

const placesReference: ReferenceData = {
  name: 'countries and counties',
  needs: [],
  edition: 1,
  load: async (c) => {
    const countries: { readonly rows: readonly CountryRow[] } = readReferenceFile('countries.json')
    await insertMissingRows(
      c,
      country,
      'code',
      countries.rows.map(([code, name, diallingCode, phoneMask, maskType]) => ({
        code,
        name,
        diallingCode,
        phoneMask,
        maskType,
      })),
    )
    const counties: { readonly rows: readonly CountyRow[] } = readReferenceFile('uk-counties.json')
    await insertMissingRows(
      c,
      ukCounty,
      'name',
      counties.rows.map(([name, country, nation, kind]) => ({ name, country, nation, kind })),
    )
  },
}

export const places = feature({ resources: [country, ukCounty], referenceData: [placesReference] })
