import { describe, expect, test } from 'vitest'
import templates from '../../../../db/reference/coshh-templates.json' with { type: 'json' }
import limits from '../../../../db/reference/exposure-limits.json' with { type: 'json' }
import clp from '../../../../db/reference/ghs-clp.json' with { type: 'json' }
import storage from '../../../../db/reference/storage-conflicts.json' with { type: 'json' }
import supplied from '../../../../db/reference/substances.json' with { type: 'json' }
import { clpLabelForStatements, clpStatementText } from './labels.ts'
import { findStorageConflicts } from './storage.ts'

const statements = [...clp.hazardStatements, ...clp.precautionaryStatements]
const codes = new Set(statements.map(({ code }) => code))
const substances = new Map(supplied.substances.map((one) => [one.name, one]))
const CORROSIVE = ['H314', 'H318']

describe('CLP statements', () => {
  // Sources: CLP Annex I, table 2.2.3, as amended by Regulation (EU) 2019/521 (H221, H230 to H232); Annex II, 2.1, 2.7
  // and 2.9 (EUH201A, EUH207, EUH209A); Annex IV (precautionary statements).
  test.each([
    ['H232', 'May ignite spontaneously if exposed to air'],
    ['EUH201A', 'Warning! Contains lead'],
    [
      'EUH207',
      'Warning! Contains cadmium. Dangerous fumes are formed during use. See information supplied by the manufacturer. Comply with the safety instructions',
    ],
    ['EUH209A', 'Can become flammable in use'],
    ['P241', 'Use explosion-proof [electrical/ventilating/lighting/...] equipment'],
    ['P284', '[In case of inadequate ventilation] wear respiratory protection'],
    [
      'P370+P372+P380+P373',
      'In case of fire: Explosion risk. Evacuate area. DO NOT fight fire when fire reaches explosives',
    ],
  ])('the statement %s has its complete text', (code, text) => {
    expect(clpStatementText(code)).toBe(`${code} ${text}`)
  })

  test('flammable gases of category 1B and gases that react or ignite by themselves have the flame and "Danger"', () => {
    for (const code of ['H221', 'H230', 'H231', 'H232'])
      expect([code, clpLabelForStatements([code])]).toEqual([code, { pictograms: ['GHS02'], signalWord: 'Danger' }])
  })

  test('no statement is listed twice, and each combination consists of listed statements and contains their texts', () => {
    expect(statements).toHaveLength(codes.size)
    for (const { code } of statements.filter((s) => s.code.includes('+')))
      for (const part of code.split('+')) expect([code, codes.has(part)]).toEqual([code, true])
    for (const { code, text } of clp.precautionaryStatements.filter((s) => s.code.includes('+'))) {
      const words = (one: string): string[] => one.toLowerCase().match(/[a-z]+/g) ?? []
      const said = words(text)
      for (const part of code.split('+'))
        expect([code, part, words(clpStatementText(part).replace(part, '')).filter((w) => !said.includes(w))]).toEqual([
          code,
          part,
          [],
        ])
    }
  })

  test('every statement used by a storage rule or a supplied substance is listed', () => {
    const used = [
      ...storage.classes.flatMap((one) => one.statements),
      ...supplied.substances.flatMap((one) => one.hazardStatements),
    ]
    expect(used.filter((code) => !codes.has(code))).toEqual([])
  })
})

describe('supplied exposure limits', () => {
  test.each(['Propan-1-ol', 'Ethane-1,2-diol (ethylene glycol), vapour'])(
    'the exposure limit for %s has the skin note',
    (agent) => {
      expect(limits.limits.find((one) => one.agent === agent)).toMatchObject({ skin: true })
    },
  )
})

describe('supplied substances and templates', () => {
  // CLP Annex VI, 017-011-00-1: EUH031 from 5 %. Annex I, tables 3.2.3 and 3.3.3: a mixture with 1 to 5 % of a corrosive
  // substance irritates the skin, and from 3 % it damages the eyes. Annex II, 2.6: EUH206.
  test('bleach under 5 % has the label for its concentration', () => {
    expect(substances.get('Bleach (sodium hypochlorite solution under 5%)')?.hazardStatements).toEqual([
      'H315',
      'H318',
      'H400',
      'H411',
      'EUH206',
    ])
  })

  test('bleach and descaler are stored apart', () => {
    const [bleach, descaler] = ['Bleach (sodium hypochlorite solution under 5%)', 'Acidic toilet cleaner or descaler']
    const both = [bleach, descaler].map((name) => substances.get(name ?? '') ?? {})
    expect(findStorageConflicts(both)).toHaveLength(1)
  })

  test('every template with a corrosive substance says to rinse the eyes for twenty minutes, and no text gives a shorter time', () => {
    for (const { name, substances: uses, firstAid } of templates.templates) {
      const isCorrosive = uses.some(({ of }) => substances.get(of)?.hazardStatements.some((h) => CORROSIVE.includes(h)))
      const minutes = [...firstAid.matchAll(/Eyes: rinse for at least (\d+) minutes/g)].map(([, n]) => Number(n))
      expect([name, minutes]).toEqual([name, isCorrosive || minutes.length ? [20] : []])
    }
  })
})
