import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clpStatementCodeProblem,
  normaliseClpStatementCodes,
  readClpStatementCodes,
  validateSubstanceLabel,
} from './codes.ts'
import { clpLabelForStatements, clpStatementText, HAZARD_STATEMENTS, PRECAUTIONARY_STATEMENTS } from './labels.ts'

const read = (text: string) => readClpStatementCodes(text, 'hazard').codes
const readPrecautions = (text: string) => readClpStatementCodes(text, 'precaution').codes

describe('codes typed by a user', () => {
  test.each([
    ['h350I', ['H350i'], ['GHS08'], 'Danger'],
    ['H350I', ['H350i'], ['GHS08'], 'Danger'],
    ['H361D', ['H361d'], ['GHS08'], 'Warning'],
    ['H360fd', ['H360FD'], ['GHS08'], 'Danger'],
    ['H360Fd', ['H360Fd'], ['GHS08'], 'Danger'],
    ['H312+H302', ['H302+H312'], ['GHS07'], 'Warning'],
    ['H310+H330+H300', ['H300+H310+H330'], ['GHS06'], 'Danger'],
    ['H302+312+332', ['H302+H312+H332'], ['GHS07'], 'Warning'],
    ['H302/312', ['H302+H312'], ['GHS07'], 'Warning'],
    ['H225, H319', ['H225', 'H319'], ['GHS02', 'GHS07'], 'Danger'],
    ['H225: Highly flammable liquid and vapour.', ['H225'], ['GHS02'], 'Danger'],
    ['euh066, euh201a', ['EUH066', 'EUH201A'], [], null],
  ] as const)(
    'the text %s is saved with its usual code, pictograms and signal word',
    (typed, codes, pictograms, signalWord) => {
      const got = read(typed)
      expect(got).toEqual(codes)
      expect(clpLabelForStatements(got)).toEqual({ pictograms, signalWord })
    },
  )

  test.each([
    ['P305+351+338', ['P305+P351+P338']],
    ['P308+311', ['P308+P311']],
    ['p353 + p303 + p361', ['P303+P361+P353']],
  ])('the text %s is saved with its usual code', (typed, codes) => {
    expect(readPrecautions(typed)).toEqual(codes)
  })

  test.each([
    ['spaces', 'H225 H319  H336'],
    ['line breaks', 'H225\r\nH319\nH336'],
    ['commas and semicolons', 'H225, H319;H336'],
    ['non-breaking spaces and soft hyphens', 'H\u00ad225\u00a0H319\u00a0H3\u00ad36'],
    ['slashes', 'H225 / H319/H336'],
    ['nothing between them', 'H225H319H336'],
    ['a space inside them', 'H 225, H 319, H 336'],
    [
      'their words',
      'H225 Highly flammable liquid and vapour.\nH319 Causes serious eye irritation.\nH336 May cause drowsiness or dizziness.',
    ],
    ['hazard classes before them', 'Flam. Liq. 2, H225; Eye Irrit. 2 H319\nSTOT SE 3: H336'],
    ['bullets and “and”', '• H225\n• H319 and H336'],
  ])('codes can be pasted with %s', (_, pasted) => {
    expect(readClpStatementCodes(pasted, 'hazard')).toEqual({
      codes: ['H225', 'H319', 'H336'],
      unread: [],
      others: [],
    })
  })

  test('words that the supplier added to or removed from a statement are recognised as part of that statement', () => {
    for (const text of [
      'H372 Causes damage to organs (central nervous system) through prolonged or repeated exposure if inhaled.',
      'H360FD May damage fertility. May damage the unborn child.',
      'EUH208 Contains 1,2-benzisothiazol-3(2H)-one. May produce an allergic reaction.',
      'EUH380 May cause endocrine disruption in humans',
    ])
      expect([text, clpStatementCodeProblem(text, 'hazard')]).toEqual([text, undefined])
    for (const text of [
      'P280 Wear protective gloves and eye protection.',
      'P501 Dispose of contents and container to an approved waste plant in accordance with local regulations.',
      'P305 + P351 + P338: IF IN EYES: Rinse cautiously with water for several minutes.',
    ])
      expect([text, clpStatementCodeProblem(text, 'precaution')]).toEqual([text, undefined])
  })

  test('every listed statement is recognised by its code in any case, with or without its text', () => {
    for (const [kind, all] of [
      ['hazard', HAZARD_STATEMENTS],
      ['precaution', PRECAUTIONARY_STATEMENTS],
    ] as const)
      for (const { code } of all) {
        expect(readClpStatementCodes(clpStatementText(code), kind)).toEqual({ codes: [code], unread: [], others: [] })
        const other = readClpStatementCodes(code.toLowerCase(), kind)
        // In lower case, H360Fd and H360FD look the same: the result is the more severe one.
        expect(other.codes).toEqual([code === 'H360Fd' ? 'H360FD' : code])
      }
  })
})

describe('text that is not a code', () => {
  test.each([
    ['flammable', 'hazard', '“flammable” is not a valid statement code. Please enter a code such as H314'],
    ['H9999', 'hazard', '“H9999” is not a valid statement code. Please enter a code such as H314'],
    ['H31', 'hazard', '“H31” is not a valid statement code. Please enter a code such as H314'],
    ['AUH031', 'hazard', '“AUH031” is not a valid statement code. Please enter a code such as H314'],
    ['', 'hazard', '“” is not a valid statement code. Please enter a code such as H314'],
    [
      'H225 Highly flammable liquid and vapour. See page 4',
      'hazard',
      '“See page 4” is not a valid statement code. Please enter a code such as H314',
    ],
    [
      'H350 does not apply',
      'hazard',
      '“does not apply” is not a valid statement code. Please enter a code such as H314',
    ],
    ['H225 P210', 'hazard', '“P210” is a precautionary statement. Please enter it there'],
    ['P28', 'precaution', '“P28” is not a valid statement code. Please enter a code such as P280'],
    ['H314', 'precaution', '“H314” is a hazard statement. Please enter it there'],
  ] as const)('an error for “%s” among the %s statements says clearly what is wrong', (text, kind, said) => {
    expect(clpStatementCodeProblem(text, kind)).toBe(said)
  })

  test('each error names its entry, and the entry is left unchanged', () => {
    const written = ['h225, H319', 'H350 does not apply', 'h225']
    expect(normaliseClpStatementCodes(written, 'hazard')).toEqual(['H225', 'H319', 'H350 does not apply'])
    expect(validateSubstanceLabel({ hazardStatements: written }, '2026-01-01').map((v) => v.propertyPath)).toEqual([
      'hazardStatements[1]',
    ])
  })

  test('a very long text is parsed, and its error shows only the beginning', () => {
    const many = 100_000
    const long = `H225 ${','.repeat(many)}x${',('.repeat(many)}H319${'+319'.repeat(many)}`
    expect(readClpStatementCodes(long, 'hazard').codes).toHaveLength(2)
    expect(clpStatementCodeProblem('x'.repeat(many), 'hazard')).toBe(
      `“${'x'.repeat(79)}…” is not a valid statement code. Please enter a code such as H314`,
    )
  })

  test('every word of a text is returned either as part of a code or as unread', () => {
    const words = fc.constantFrom<string>('H225', 'h302+312', 'banana', 'gloves', 'H1', '12', '(', ',', '\n', 'P210')
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (all) => {
        const { codes, others, unread } = readClpStatementCodes(all.join(' '), 'hazard')
        const rest = unread.join(' ')
        for (const word of all.filter((w) => /^(banana|gloves|H1|12)$/.test(w))) expect(rest).toContain(word)
        expect([codes.includes('H225'), codes.includes('H302+H312'), others.includes('P210')]).toEqual(
          ['H225', 'h302+312', 'P210'].map((w) => all.includes(w)),
        )
      }),
    )
  })
})
