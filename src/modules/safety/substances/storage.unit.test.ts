import fc from 'fast-check'
import { expect, test } from 'vitest'
import data from '../../../../db/reference/storage-conflicts.json' with { type: 'json' }
import { findStorageConflicts, findSubstancesWithUnknownStorage, listIncompatibleStorageTypes } from './storage.ts'

const of = (...hazardStatements: string[]) => ({ hazardStatements })
const between = (...all: Parameters<typeof findStorageConflicts>[0][number][]) =>
  findStorageConflicts(all).map((one) => one.between)

const BLEACH = of('H314', 'H318', 'H400', 'EUH031')
const DESCALER = of('H290', 'H314')
const OXYGEN = of('H270', 'H280')
const ACETYLENE = of('H220', 'H230', 'H280')
const SOAP = of('H315', 'H319')

test('bleach must be stored apart from descaler and oxygen apart from acetylene, but soap can be stored with anything', () => {
  expect(between(BLEACH, SOAP, DESCALER)).toEqual([[0, 2]])
  expect(between(OXYGEN, ACETYLENE)).toEqual([[0, 1]])
  expect(between(SOAP, OXYGEN, SOAP)).toEqual([])
  expect(findStorageConflicts([BLEACH, DESCALER])[0]?.basis).toMatch(/^CLP, Annex II[^;]*$/)
  expect(listIncompatibleStorageTypes(ACETYLENE).map(({ from }) => from)).toContain('oxidising substances')
  expect(listIncompatibleStorageTypes(SOAP)).toEqual([])
})

test('storage rules recognise combined hazard statements and letter suffixes', () => {
  expect(between(of('H300+H310'), of('H225'))).toEqual([[0, 1]])
  expect(between(of('H271'), of('H226a'))).toEqual([[0, 1]])
})

test('the storage class of a substance without hazard statements is unknown unless its data sheet states that the substance is not classified', () => {
  expect(findSubstancesWithUnknownStorage([BLEACH, of(), { hazardStatements: [], unclassified: true }, {}])).toEqual([
    1, 3,
  ])
})

test('every storage rule has two known substance classes, a reason and a source, and every class has hazard statements', () => {
  const names = new Set(data.classes.map(({ name }) => name))
  for (const { of: sides, why, source, confidence } of data.pairs) {
    expect([sides.length, sides.every((side) => names.has(side)), why !== '', source !== '']).toEqual([
      2,
      true,
      true,
      true,
    ])
    expect(['high', 'medium', 'low']).toContain(confidence)
  }
  for (const { statements, source } of data.classes)
    expect([statements.every((s) => /^(EU)?H\d{3}$/.test(s)), source !== '']).toEqual([true, true])
})

test("finding storage conflicts doesn't depend on the order of substances, and more information never removes a conflict", () => {
  const codes = data.classes.flatMap(({ statements }) => statements)
  const any = fc.subarray([...codes, 'H315', 'H319']).map((hazardStatements) => ({ hazardStatements }))
  fc.assert(
    fc.property(any, any, fc.constantFrom(...codes), (a, b, more) => {
      const found = findStorageConflicts([a, b]).length
      expect(findStorageConflicts([b, a]).length).toBe(found)
      expect(
        findStorageConflicts([{ hazardStatements: [...a.hazardStatements, more] }, b]).length,
      ).toBeGreaterThanOrEqual(found)
      expect(found > 0).toBe(
        listIncompatibleStorageTypes(a).some(({ from }) =>
          data.classes.some(
            ({ label, statements }) => label === from && statements.some((s) => b.hazardStatements.includes(s)),
          ),
        ),
      )
    }),
  )
})
