import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasSeveralCells, parseClipboardCells } from '#web/grid/keys.ts'
import { bandForRisk, DEFAULT_RISK_MATRIX } from '../risk-matrix/bands.ts'
import {
  addControl,
  addGroup,
  calculateRiskScore,
  confirmControls,
  controlTierOf,
  countRiskRatings,
  countUnconfirmedControls,
  createHazard,
  findHazardWarnings,
  flattenHazards,
  formatControlTier,
  formatRiskRating,
  type GridHazard,
  groupHazardLines,
  type HazardGridRows,
  hazardLineKeyOf,
  initialRatingOf,
  moveHazard,
  offerGroups,
  parsePastedHazards,
  removeControl,
  requiresPpeReason,
  residualRatingOf,
  restoreHazardAsNew,
  updateControl,
  updateHazard,
  updateHazardValues,
} from './grid.ts'
import { type HazardLine, SHARED_HAZARD_FIELDS } from './line.ts'
import { riskAssessmentCompletionProblems } from './problems.ts'

const TIERS = ['eliminate', 'substitute', 'engineering', 'administrative', 'ppe'] as const
const level = fc.integer({ min: 1, max: 5 })
const words = fc.string({ minLength: 1, maxLength: 12 }).filter((s) => s.trim() !== '')
const control = fc.record({ name: words, tier: fc.constantFrom(...TIERS) })
const hazard = fc
  .record({
    hazardName: fc.oneof(words, fc.constant(''), fc.constant('Noise')),
    hazard: fc.option(fc.integer({ min: 1, max: 4 }).map((n) => `/api/safety/hazards/${n}`)),
    probability: level,
    severity: level,
    judged: fc.boolean(),
  })
  .chain((head) =>
    fc.array(control, { maxLength: 4 }).map((all) => all.reduce<GridHazard>(addControl, createHazard(head))),
  )
const grid: fc.Arbitrary<HazardGridRows> = fc.array(hazard, { maxLength: 8 })

describe('conversion between the hazard grid and its lines', () => {
  it('hazard lines converted to the grid and back are unchanged', () =>
    fc.assert(
      fc.property(grid, (g) => {
        expect(groupHazardLines(flattenHazards(g))).toEqual(g)
        expect(flattenHazards(groupHazardLines(flattenHazards(g)))).toEqual(flattenHazards(g))
      }),
    ))

  it('changing one hazard preserves the object identity of all others', () =>
    fc.assert(
      fc.property(grid, fc.nat(), (g, n) => {
        const one = g[n % Math.max(1, g.length)]
        if (!one) return
        const next = updateHazard(g, one.key, (h) => updateHazardValues(h, { persons: 'Visitors' }))
        const before = groupHazardLines(flattenHazards(g))
        const drawn = groupHazardLines(flattenHazards(next))
        expect(drawn.filter((h, i) => h !== before[i]).map((h) => h.key)).toEqual([one.key])
      }),
    ))

  it('the grid omits retired lines, and lists two hazards with the same name separately', () => {
    const lines: HazardLine[] = [
      { '@id': 'a', hazardName: 'Noise' },
      { '@id': 'b', hazardName: 'Noise', controlName: 'Ear muffs', tier: 'ppe' },
      { '@id': 'c', hazardName: 'Noise' },
      { '@id': 'd', hazardName: 'Noise', controlName: 'Gone', retired: true },
    ]
    expect(groupHazardLines(lines).map((h) => [h.key, h.controls.map(hazardLineKeyOf)])).toEqual([
      ['a', ['b']],
      ['c', []],
    ])
  })

  it('controls without a hazard line are grouped under a hazard created from their values', () => {
    const [h] = groupHazardLines([{ '@id': 'b', hazardName: 'Dust', probability: 2, controlName: 'Water' }])
    expect(h?.head).toMatchObject({ hazardName: 'Dust', probability: 2 })
    expect(h?.head.controlName).toBeUndefined()
    expect(h?.controls).toHaveLength(1)
  })
})

describe('a hazard in the grid', () => {
  it('a new hazard is rated 5 × 5 by default, counts as not rated and has no controls', () => {
    const h = createHazard({ hazardName: 'Falls' })
    expect(h.head).toMatchObject({ probability: 5, severity: 5, judged: false, hazardName: 'Falls' })
    expect(h.controls).toEqual([])
    expect(initialRatingOf(h)).toBeUndefined()
  })

  it("every change to a hazard writes the hazard's shared values to all its lines", () =>
    fc.assert(
      fc.property(hazard, level, level, control, (h, p, s, c) => {
        const after = addControl(
          updateHazardValues(h, { residualProbability: p, residualSeverity: s, persons: 'Cleaners' }),
          c,
        )
        for (const line of after.controls)
          for (const name of SHARED_HAZARD_FIELDS) expect(line[name] ?? null).toEqual(after.head[name] ?? null)
        expect(residualRatingOf(after)).toEqual({ probability: p, severity: s })
      }),
    ))

  it("a hazard's controls are sorted by the hierarchy of control", () =>
    fc.assert(
      fc.property(hazard, fc.array(control), (h, more) => {
        const places = more.reduce(addControl, h).controls.map((c) => TIERS.indexOf(controlTierOf(c) ?? 'ppe'))
        expect(places).toEqual([...places].sort((a, b) => a - b))
      }),
    ))

  it('an added control has an unknown type and place until both are entered or confirmed', () => {
    const unknown = ['Harness worn', 'RCD on site', 'Something else'].reduce(
      (h, name) => addControl(h, { name }),
      createHazard(),
    )
    expect(unknown.controls.map((c) => [c.tier, c.implementedUnknown, formatControlTier(c)])).toEqual([
      [null, true, 'PPE?'],
      [null, true, 'Engineering?'],
      [null, true, 'Type?'],
    ])
    expect(countUnconfirmedControls(unknown)).toBe(3)
    const confirmed = confirmControls(unknown)
    expect(confirmed.controls.map((c) => [c.tier, c.implementedUnknown])).toEqual([
      ['engineering', false],
      ['ppe', false],
      [null, false],
    ])
    expect(countUnconfirmedControls(confirmed)).toBe(1)
  })

  it('an added control can be changed and removed', () => {
    const h = addControl(createHazard(), { name: 'Edge protection', tier: 'engineering' })
    const [made] = h.controls as [HazardLine]
    expect(made).toMatchObject({ controlName: 'Edge protection', implemented: 'yes', retired: false })
    expect(updateControl(h, hazardLineKeyOf(made), { implemented: 'no' }).controls[0]).toMatchObject({
      implemented: 'no',
    })
    expect(removeControl(h, hazardLineKeyOf(made)).controls).toEqual([])
  })

  it('removing a hazard removes its controls, and restoring it adds a new hazard with the same controls', () =>
    fc.assert(
      fc.property(grid, fc.nat(), (g, n) => {
        const one = g[n % Math.max(1, g.length)]
        if (!one) return
        const rest = updateHazard(g, one.key, () => undefined)
        expect(flattenHazards(rest)).toHaveLength(flattenHazards(g).length - 1 - one.controls.length)
        const back = restoreHazardAsNew({ ...one, head: { ...one.head, '@id': '/api/safety/risk_items/1' } })
        expect(back.head['@id']).toBeUndefined()
        expect(back.controls.map((c) => c.controlName)).toEqual(one.controls.map((c) => c.controlName))
      }),
    ))

  it('moving a hazard shifts it by one position, and has no effect at either end of the list', () =>
    fc.assert(
      fc.property(grid, fc.nat(), fc.constantFrom(1, -1), (g, n, by) => {
        const at = n % Math.max(1, g.length)
        const key = g[at]?.key ?? ''
        const after = moveHazard(g, key, by as 1 | -1).findIndex((h) => h.key === key)
        expect(after).toBe(g[at + by] ? at + by : g.length ? at : -1)
      }),
    ))

  it('a hazard with protective equipment as its only control needs a reason', () => {
    const h = addControl(createHazard(), { name: 'Gloves', tier: 'ppe' })
    expect(requiresPpeReason(h)).toBe(true)
    expect(requiresPpeReason(updateHazardValues(h, { ppeReason: 'Nothing else is possible on a live roof' }))).toBe(
      false,
    )
    expect(requiresPpeReason(addControl(h, { name: 'Guard rail', tier: 'engineering' }))).toBe(false)
    expect(requiresPpeReason(createHazard())).toBe(false)
  })

  it('a hazard lists all its warnings, not only the first', () => {
    const highRisk = (residualProbability: number) =>
      updateHazardValues(addControl(createHazard(), { name: 'Gloves', tier: 'ppe' }), {
        residualProbability,
        residualSeverity: 5,
      })
    const left = highRisk(2)
    expect(findHazardWarnings(DEFAULT_RISK_MATRIX, left)).toEqual([
      'High: please enter a reason, or a planned control',
      'PPE only: please enter a reason',
    ])
    expect(
      findHazardWarnings(
        DEFAULT_RISK_MATRIX,
        updateHazardValues(left, { ppeReason: 'Live roof', residualReason: 'No other way' }),
      ),
    ).toEqual([])
    expect(findHazardWarnings(DEFAULT_RISK_MATRIX, highRisk(3))[0]).toBe(
      'Very high: an assessment with this risk can’t be completed',
    )
  })
})

describe('a risk rating', () => {
  it('a risk rating is scored as probability × severity and is in exactly one band', () =>
    fc.assert(
      fc.property(level, level, (probability, severity) => {
        const r = calculateRiskScore({ probability, severity })
        expect(r).toBe(probability * severity)
        expect(DEFAULT_RISK_MATRIX.bands.filter((b) => r >= b.from && r <= b.to)).toEqual([
          bandForRisk(DEFAULT_RISK_MATRIX, probability, severity),
        ])
        expect(formatRiskRating(DEFAULT_RISK_MATRIX, { probability, severity })).toContain(
          bandForRisk(DEFAULT_RISK_MATRIX, probability, severity).name,
        )
      }),
    ))

  it('the risk matrix counts every rated hazard once', () =>
    fc.assert(
      fc.property(grid, (g) => {
        const sum = [...countRiskRatings(g, initialRatingOf).values()].reduce((a, b) => a + b, 0)
        expect(sum).toBe(g.filter((h) => h.head.judged).length)
      }),
    ))

  it('missing ratings are reported separately for each hazard, even if two have the same name', () => {
    const lines = flattenHazards([createHazard({ hazardName: 'Noise' }), createHazard({ hazardName: 'Noise' })])
    expect(riskAssessmentCompletionProblems({ controls: lines }).map((v) => v.propertyPath)).toEqual([
      'controls[0].probability',
      'controls[0].controlName',
      'controls[1].probability',
      'controls[1].controlName',
    ])
  })
})

describe('a table pasted into the hazard grid', () => {
  it('a pasted table is parsed into hazards with people, controls and ratings', () => {
    const text =
      'Hazard\tWho\tControls\tP\tS\r\nFalls\tRoofers\tppe: Harness; Guard rails: both edges; Engineering: Nets\t4\t5\t2\t5\r\n"Dust ""fine"""\t\t"Water\nMasks"\t9\t2\r\n\r\nNoise'
    const found = parsePastedHazards(parseClipboardCells(text))
    expect(found.map((h) => h.head.hazardName)).toEqual(['Falls', 'Dust "fine"', 'Noise'])
    expect(found[0]?.controls.map((c) => [c.tier, c.controlName])).toEqual([
      ['engineering', 'Nets'],
      ['ppe', 'Harness'],
      [null, 'Guard rails: both edges'],
    ])
    expect([initialRatingOf(found[0] as GridHazard), residualRatingOf(found[0] as GridHazard)]).toEqual([
      { probability: 4, severity: 5 },
      { probability: 2, severity: 5 },
    ])
    expect(found[1]?.controls.map((c) => c.controlName)).toEqual(['Water', 'Masks'])
    expect(initialRatingOf(found[1] as GridHazard)).toBeUndefined()
    expect(hasSeveralCells('Falls from height')).toBe(false)
    expect(hasSeveralCells(text)).toBe(true)
  })

  it('parsing any pasted text never throws an error', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const h of parsePastedHazards(parseClipboardCells(text)))
          expect(String(h.head.hazardName).length).toBeGreaterThan(0)
      }),
    ))
})

it("the assessment's groups are offered for a hazard one after another, in addition to typed text", () => {
  const groups = ['Employees', 'Visitors', 'Members of the public']
  expect(offerGroups(groups, '')).toEqual(groups)
  expect(offerGroups(groups, 'vis')).toEqual(['Visitors'])
  expect(offerGroups(groups, 'employees')).toEqual(['Visitors', 'Members of the public'])
  expect(offerGroups(groups, 'Roofers, Employees, mem')).toEqual(['Members of the public'])
  expect(offerGroups([], 'Emp')).toEqual([])
  expect(addGroup(groups, '', 'Employees')).toBe('Employees')
  expect(addGroup(groups, 'Emp', 'Employees')).toBe('Employees')
  expect(addGroup(groups, 'Employees', 'Visitors')).toBe('Employees, Visitors')
  expect(addGroup(groups, 'Roofers, vis', 'Visitors')).toBe('Roofers, Visitors')
})
