import { describe, expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import { offeredBodyParts, offeredSeverities } from './injury-rules.ts'
import type { RiddorRules } from './lookup.ts'

interface Row {
  readonly id: number
  readonly description: string
  readonly retired: boolean
}
interface Lookups {
  readonly severities: readonly (Row & { readonly severity: string; readonly riddor: boolean })[]
  readonly bodyParts: readonly (Row & { readonly hseCode: number })[]
  readonly injuries: readonly (Row & { readonly riddorRules: RiddorRules })[]
}

const { severities, bodyParts, injuries }: Lookups = readReferenceFile('incident-lookups.json')

const keysFor = (jobClass: number | null) => offeredSeverities(severities, jobClass).map(({ severity }) => severity)
const injury = (name: string) => injuries.find(({ description }) => description.startsWith(name))
const severity = (key: string) => severities.find((one) => one.severity === key)
const partsOf = (name: string, key: string) =>
  offeredBodyParts(bodyParts, injury(name), severity(key)).map(({ hseCode }) => hseCode)

describe('severities of an injury', () => {
  test("a member of the public can't have a specified injury or be unable to work", () => {
    expect(keysFor(6)).toEqual(['fatal', 'mop', 'three_day', 'lost_time', 'minor', 'none'])
  })

  test.each([1, 2, 3, 4, 5])("a worker of class %i can't have the severity for the public", (jobClass) => {
    expect(keysFor(jobClass)).toEqual(['fatal', 'major', 'seven_day', 'three_day', 'lost_time', 'minor', 'none'])
  })

  test('a reportable severity without a key is never offered', () => {
    expect(keysFor(null)).not.toContain('')
  })
})

describe('body parts of an injury', () => {
  test('a broken arm is a specified injury, and a broken finger is not', () => {
    expect(partsOf('Fracture', 'major')).not.toContain(10)
    expect(partsOf('Fracture', 'seven_day')).toEqual([10, 11, 16])
    expect(partsOf('Fracture', 'major')).toContain(14)
  })

  test('an injury and a severity that exclude each other leave no body part to choose', () => {
    expect(partsOf('Strain', 'major')).toEqual([])
  })

  test('a severity without rules offers every body part with a code above 0', () => {
    expect(partsOf('Strain', 'minor')).toEqual(Array.from({ length: 23 }, (_, n) => n + 1))
  })

  test('every rule names only known codes, and a body part above 0 at most once', () => {
    const codes = new Set(bodyParts.map(({ hseCode }) => hseCode))
    const wrong = injuries.flatMap(({ description, riddorRules }) =>
      Object.values(riddorRules).flatMap((value: unknown) =>
        Array.isArray(value) && (value.some((code) => !codes.has(code as number)) || new Set(value).size < value.length)
          ? [description]
          : [],
      ),
    )
    expect(wrong).toEqual([])
  })
})
