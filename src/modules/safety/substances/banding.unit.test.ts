import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import data from '../../../../db/reference/coshh-banding.json' with { type: 'json' }
import {
  AIRBORNE_LEVELS,
  AMOUNT_BANDS,
  amountBandFor,
  type BandingInput,
  HAZARD_GROUPS,
  parseHazardStatementCodes,
  proposeControlApproach,
  volatilityOf,
} from './banding.ts'

const ranked = data.statements.filter((s) => s.source === 'HSE')
const own = data.statements.filter((s) => s.source !== 'HSE')
const codes = fc.constantFrom(...ranked.map((s) => s.code))
const forms = fc.constantFrom(...data.forms.map((f) => f.form))
const covered = fc.constantFrom(...data.forms.filter((f) => f.by).map((f) => f.form))
const quantity = fc.double({ min: 0.001, max: 1e4, noNaN: true })
const unit = fc.constantFrom('g', 'kg', 't', 'ml', 'l', 'm³')
const level = fc.constantFrom(...AIRBORNE_LEVELS)
const use = (form: fc.Arbitrary<string>) =>
  fc.record({ statements: fc.uniqueArray(codes, { minLength: 1, maxLength: 5 }), form, quantity, unit, level })

/** Returns how strict a proposal is. An unknown approach is treated as the strictest. */
const strictness = (u: BandingInput): number => {
  const { approach } = proposeControlApproach(u)
  return approach === '?' ? Number.POSITIVE_INFINITY : approach
}

describe('control approach for a greater hazard or exposure', () => {
  test('a greater hazard never weakens the control approach', () => {
    fc.assert(
      fc.property(use(forms), codes, (u, more) => {
        expect(strictness({ ...u, statements: [...u.statements, more] })).toBeGreaterThanOrEqual(
          // If the approach was unknown before, approach 4, which requires an expert, is also allowed.
          Math.min(strictness(u), 4),
        )
      }),
    )
  })

  test('a larger amount never weakens the control approach', () => {
    fc.assert(
      fc.property(use(covered), fc.double({ min: 1, max: 1e6, noNaN: true }), (u, times) => {
        expect(strictness({ ...u, quantity: u.quantity * times })).toBeGreaterThanOrEqual(strictness(u))
      }),
    )
  })

  test('more airborne dust or vapour never weakens the control approach', () => {
    fc.assert(
      fc.property(use(covered), level, (u, other) => {
        const [low, high] = [u.level, other].sort((a, b) => AIRBORNE_LEVELS.indexOf(a) - AIRBORNE_LEVELS.indexOf(b))
        expect(strictness({ ...u, level: high })).toBeGreaterThanOrEqual(strictness({ ...u, level: low }))
      }),
    )
  })

  test('a hotter liquid, or one with a lower boiling point, never weakens the control approach', () => {
    const at = (bp: number, t: number) => AIRBORNE_LEVELS.indexOf(volatilityOf(bp, t) ?? 'high')
    const degrees = fc.double({ min: 21, max: 400, noNaN: true })
    fc.assert(
      fc.property(degrees, degrees, fc.double({ min: -20, max: 200, noNaN: true }), (a, b, t) => {
        expect(at(Math.min(a, b), t)).toBeGreaterThanOrEqual(at(Math.max(a, b), t))
        expect(at(a, t + 10)).toBeGreaterThanOrEqual(at(a, t))
      }),
    )
  })
})

describe('unknown properties of a substance', () => {
  const known: BandingInput = { statements: ['H302'], form: 'liquid', quantity: 5, unit: 'l', level: 'medium' }

  test('no control approach is proposed if the hazard group, amount, form or volatility is unknown', () => {
    expect(proposeControlApproach(known)).toMatchObject({ approach: 2, missing: [] })
    for (const without of [
      { statements: [] },
      { statements: ['H225', 'H411'] },
      { statements: ['H302', 'H399'] },
      { statements: ['rubbish'] },
      { quantity: 0 },
      { quantity: -5 },
      { quantity: null },
      { quantity: Number.NaN },
      { unit: 'gallon' },
      { form: undefined },
      { form: 'fume' },
      { form: 'gas' },
      { level: undefined },
      { level: 'none' },
    ]) {
      const { approach, missing, formula } = proposeControlApproach({ ...known, ...without })
      expect([approach, missing.length, formula.includes('?')]).toEqual(['?', 1, true])
    }
  })

  test('a substance without hazard statements is in group A only if its data sheet states that it is not classified', () => {
    expect(proposeControlApproach({ ...known, statements: [] }).group).toBe('?')
    expect(proposeControlApproach({ ...known, statements: [], unclassified: true })).toMatchObject({
      group: 'A',
      approach: 1,
    })
    expect(proposeControlApproach({ ...known, statements: ['H331'], unclassified: true }).group).toBe('C')
  })

  test("respiratory sensitisers, carcinogens and mutagens require an expert's decision, whatever their other properties", () => {
    for (const code of ['H334', 'H340', 'H341', 'H350', 'H350i'])
      for (const rest of [{ quantity: 1, unit: 'g', form: 'solid', level: 'low' }, {}, { form: 'fume' }]) {
        const { approach, expert } = proposeControlApproach({ statements: ['H302', code], ...rest })
        expect([approach, expert.length]).toEqual([4, 1])
      }
  })
})

describe('our own advice', () => {
  const paint: BandingInput = { statements: [], form: 'liquid', quantity: 5, unit: 'l', level: 'low' }

  test("a statement that the scheme doesn't rank never changes the scheme's proposal", () => {
    const ours = fc.constantFrom(...own.map((s) => s.code))
    fc.assert(
      fc.property(use(forms), ours, (u, more) => {
        const [before, after] = [u.statements, [...u.statements, more]].map((statements) =>
          proposeControlApproach({ ...u, statements }),
        )
        expect(after).toEqual({ ...before, advice: expect.any(Array) })
      }),
    )
  })

  test("a skin sensitiser has the scheme's approach for group C, with our advice on gloves and skin checks beside it", () => {
    const { approach, group, skin, expert, advice } = proposeControlApproach({ ...paint, statements: ['H317'] })
    expect([approach, group, skin, expert]).toEqual([2, 'C', true, []])
    expect(advice).toEqual([expect.stringMatching(/Gloves to EN ISO 374-1.*skin checks/)])
  })

  test('emulsion paint that contains a little of a sensitiser needs general ventilation and has our advice on the skin', () => {
    const supplied = proposeControlApproach({ ...paint, statements: ['EUH208', 'EUH210'], unclassified: true })
    expect([supplied.group, supplied.approach, supplied.expert]).toEqual(['A', 1, []])
    expect(supplied.advice).toEqual([expect.stringMatching(/EN ISO 374-1/)])
    const { approach, missing } = proposeControlApproach({ ...paint, statements: ['EUH208'] })
    expect([approach, missing]).toEqual(['?', ['COSHH Essentials has no hazard group for EUH208.']])
  })

  test('a hazard group that only we assign to a statement is advised if it is stricter', () => {
    const advised = (...statements: string[]) => proposeControlApproach({ ...paint, statements }).advice
    expect(advised('H315', 'EUH071')).toEqual([
      'COSHH Essentials does not rank EUH071. Treat the substance as group C: approach 2, engineering control.',
    ])
    expect(advised('H330', 'EUH071')).toEqual([])
    expect(proposeControlApproach({ statements: ['EUH201A'] }).advice).toEqual([
      'COSHH Essentials does not rank EUH201. Treat the substance as group D.',
    ])
  })
})

describe('the control banding scheme as published', () => {
  // Source: HSE, COSHH essentials: Controlling exposure to chemicals - a simple control banding approach. For each
  // hazard group, the control approaches by amount. The four digits are for low volatility or dustiness, medium
  // volatility, medium dustiness and high volatility or dustiness.
  const published = {
    A: ['1111', '1112', '1122'],
    B: ['1111', '1222', '1233'],
    C: ['1212', '2333', '2444'],
    D: ['2323', '3444', '3444'],
  } as const
  const statement = { A: 'H319', B: 'H302', C: 'H331', D: 'H330' } as const
  const QUANTITY = { small: [10, 'ml'], medium: [10, 'l'], large: [10, 'm³'] } as const

  test.each(Object.keys(published) as (keyof typeof published)[])(
    'hazard group %s has the published control approaches',
    (group) => {
      const got = AMOUNT_BANDS.map((amount) => {
        const [q, u] = QUANTITY[amount]
        const of = (form: string, at: string) =>
          proposeControlApproach({ statements: [statement[group]], form, level: at, quantity: q, unit: u }).approach
        return [of('liquid', 'low'), of('liquid', 'medium'), of('powder', 'medium'), of('powder', 'high')].join('')
      })
      expect(got).toEqual(published[group])
    },
  )

  // R. Aguilar-Elena and others, expoquimR 0.2.0 (CRAN, 7 November 2026), an independent implementation of the scheme:
  // examples from its manual (`coshh_evaluate`), its vignette “COSHH Essentials” and its tests. Xylene by the cubic
  // metre is omitted: expoquimR has one column for dustiness and volatility, the HSE's table has two. The two worked
  // examples of HSG193 itself were not available and are not included.
  test.each([
    [
      'toluene, from the manual and the vignette',
      ['H315', 'H336'],
      [100, 'l'],
      'liquid',
      volatilityOf(111, 20),
      'A',
      1,
    ],
    ['cement, from the vignette and the tests', ['H315'], [2, 't'], 'powder', 'high', 'A', 2],
    [
      'group C, medium amount and high volatility, from the tests',
      ['H301', 'H311', 'H331'],
      [100, 'l'],
      'liquid',
      'high',
      'C',
      3,
    ],
    ['group E, small amount and low volatility, from the tests', ['H350'], [5, 'ml'], 'liquid', 'low', 'E', 4],
  ] as const)(
    'the proposed control approach matches the independently published example: %s',
    (_, statements, [quantity, unit], form, level, group, approach) => {
      expect(proposeControlApproach({ statements: [...statements], form, level, quantity, unit })).toMatchObject({
        group,
        approach,
      })
    },
  )

  test('volatility at the temperature of use matches the independently published examples', () => {
    // Values from the tests of expoquimR 0.2.0: boiling points of 111 °C used at 20 °C, 56 °C at 40 °C, and 300 °C at
    // 20 °C.
    expect([volatilityOf(111, 20), volatilityOf(56, 40), volatilityOf(300, 20)]).toEqual(['medium', 'high', 'low'])
  })

  test('a proposed control approach shows how it was derived', () => {
    expect(
      proposeControlApproach({ statements: ['H290', 'H314'], form: 'liquid', quantity: 5, unit: 'l', level: 'low' }),
    ).toEqual({
      group: 'C',
      skin: true,
      amount: 'medium',
      level: 'low',
      by: 'volatility',
      approach: 2,
      ownRule: false,
      advice: [],
      expert: [],
      missing: [],
      formula: 'Group C (H314) × medium amount × low volatility = approach 2',
    })
    expect(proposeControlApproach({ statements: ['H334'] }).formula).toBe(
      'Expert advice (H334: respiratory sensitiser), whatever the amount = approach 4',
    )
  })

  test('a sprayed substance counts as highly airborne', () => {
    expect(
      proposeControlApproach({ statements: ['H319'], form: 'aerosol', quantity: 5, unit: 'l', level: 'low' }),
    ).toMatchObject({
      level: 'high',
      approach: 2,
      ownRule: true,
      formula: 'Group A (H319) × medium amount × high volatility (a spray, by Stanchion’s rule) = approach 2',
    })
  })

  test('volatility at room temperature is high for boiling points below 50 °C, medium up to 150 °C and low above', () => {
    expect([49, 50, 51, 149, 150, 151, 20, 5].map((bp) => volatilityOf(bp))).toEqual([
      'high', 'high', 'medium', 'medium', 'medium', 'low', undefined, undefined,
    ]) // biome-ignore format: one line
  })

  test('the amount band depends on the unit', () => {
    expect([
      amountBandFor(999, 'g'), amountBandFor(1000, 'ml'), amountBandFor(999, 'kg'), amountBandFor(1000, 'l'), amountBandFor(5, 't'), amountBandFor(0, 'ml'),
    ]).toEqual(['small', 'medium', 'medium', 'large', 'large', undefined]) // biome-ignore format: one line
  })

  test('hazard statements are parsed in all notations used on data sheets', () => {
    expect(['H301+H311', 'H360FD', ' euh066 ', 'H350i'].map(parseHazardStatementCodes)).toEqual([
      ['H301', 'H311'],
      ['H360'],
      ['EUH066'],
      ['H350'],
    ])
  })

  test('every row of the banding data has a source, and every hazard statement has a hazard group or advice', () => {
    for (const rows of [
      data.statements,
      data.advice,
      data.amounts,
      data.forms,
      data.levels,
      data.approaches,
      data.controls,
    ])
      for (const row of rows) expect(row.source).toMatch(/^(HSE|ours)/)
    const advised = data.advice.flatMap(({ statements }) => statements)
    for (const { code, group } of data.statements)
      expect([code, advised.includes(code) || HAZARD_GROUPS.some((one) => one === group)]).toEqual([code, true])
    for (const { group } of ranked) expect(HAZARD_GROUPS).toContain(group)
    expect(data.approaches).toHaveLength(HAZARD_GROUPS.length * AMOUNT_BANDS.length)
  })
})
