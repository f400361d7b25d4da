import { expect, test } from 'vitest'
import { changedLibraryFields, currentLibraryFields, hasNewerDataSheet } from './library-changes.ts'
import { substanceSnapshot } from './substances-used.ts'

const library = {
  '@id': '/api/safety/substances/7',
  name: 'Thinners',
  supplier: '',
  form: 'liquid',
  hazardStatements: ['H225'],
  precautions: [],
  pictograms: ['GHS02'],
  signalWord: 'Danger',
  boilingPoint: null,
  routes: ['inhalation'],
  sheet: null,
  sheetDate: '2024-05-01',
  limits: [{ '@id': '/x', id: 3, position: 0, agent: 'Toluene', longPpm: 50, composed: true, notes: '' }],
}
const kept = {
  ...substanceSnapshot(library),
  '@id': '/api/safety/coshh_substances/1',
  quantity: 2,
  routes: ['skin'],
  form: 'aerosol',
}

test("comparing a substance with the library lists the changed library fields, but not the fields that describe the substance's use", () => {
  expect(changedLibraryFields(kept, library)).toEqual([])
  // The assessment's row as the server returns it, with empty values and with a time in the date.
  expect(
    changedLibraryFields(
      { ...kept, supplier: null, unclassified: false, sheet: '', sheetDate: '2024-05-01T00:00:00Z' },
      library,
    ),
  ).toEqual([])
  const better = {
    ...library,
    hazardStatements: ['H225', 'H361d'],
    sheetDate: '2026-02-01',
    limits: [{ agent: 'Toluene', longPpm: 25 }],
  }
  expect(changedLibraryFields(kept, better)).toEqual(['hazard statements', 'data sheet date', 'exposure limits'])
  expect([
    hasNewerDataSheet(kept, better),
    hasNewerDataSheet(kept, library),
    hasNewerDataSheet(kept, { ...library, sheetDate: null }),
  ]).toEqual([true, false, false])
})

test("updating a substance from the library preserves the substance's use and leaves no differences", () => {
  const better = { ...library, name: 'Thinners, low toluene', hazardStatements: ['H226'] }
  const taken = { ...kept, ...currentLibraryFields(better) }
  expect(taken).toMatchObject({ quantity: 2, routes: ['skin'], form: 'aerosol', name: 'Thinners, low toluene' })
  expect(changedLibraryFields(taken, better)).toEqual([])
})
