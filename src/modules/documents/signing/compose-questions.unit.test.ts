import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeReadingQuestions, type QuestionFact } from './compose-questions.server.ts'

type Fact = Omit<QuestionFact, 'question'>
const ask = (topic: string) => `Which control does “${topic}” have?`
const asked = (fact: Fact): QuestionFact => ({ ...fact, question: ask(fact.topic) })
const compose = (facts: readonly Fact[], seed = 'a', known: readonly Fact[] = []) =>
  composeReadingQuestions({ facts: facts.map(asked), known: known.map(asked), seed })
const under = (topic: string, ...statements: readonly string[]) => statements.map((statement) => ({ topic, statement }))

const word = fc.constantFrom(
  'harness',
  'barrier',
  'permit',
  'gloves',
  'ladder tied',
  'banksman',
  'goggles',
  'lift plan',
)
const facts = fc.array(fc.record({ topic: fc.constantFrom('Falls', 'Fire', 'Dust', 'Traffic'), statement: word }))

describe('questions about a document', () => {
  test('the right option is a statement of the topic, and the wrong options are not', () => {
    fc.assert(
      fc.property(facts, fc.string(), (all, seed) => {
        for (const { topic, options, right } of compose(all, seed)) {
          const belongs = (text: string) => all.some((one) => one.topic === topic && one.statement === text)
          expect(options.filter(belongs)).toEqual([options[right]])
          expect(new Set(options).size).toBe(3)
        }
      }),
    )
  })

  test('neither the position nor the length reveals the right option', () => {
    const all = [
      ...under(
        'Falls',
        'Edge protection on all sides',
        'Nets',
        'Scaffold inspected every seven days by a competent person',
      ),
      ...under('Fire', 'Hot work permit', 'Extinguisher within five metres of the work, checked each morning', 'Watch'),
      ...under('Dust', 'Wet cutting', 'FFP3', 'Extraction with an M-class vacuum, tested before each shift begins'),
    ]
    const positions = [0, 0, 0]
    const ranks = [0, 0, 0]
    for (let n = 0; n < 600; n++)
      for (const { options, right } of compose(all, `person ${n}`)) {
        positions[right] = (positions[right] ?? 0) + 1
        const rank = options.filter((one) => one.length < (options[right] ?? '').length).length
        ranks[rank] = (ranks[rank] ?? 0) + 1
      }
    for (const count of [...positions, ...ranks]) expect(count / 1800).toBeGreaterThan(0.2)
  })

  test('the questions for a person are always the same, and differ between people', () => {
    const all = ['Falls', 'Fire', 'Dust', 'Noise'].flatMap((topic) => under(topic, `${topic} one`, `${topic} two`))
    expect(compose(all, '7 1')).toEqual(compose(all, '7 1'))
    expect(compose(all, '7 1')).not.toEqual(compose(all, '7 2'))
  })

  test('three questions have different topics, unless the document has fewer', () => {
    const wide = ['Falls', 'Fire', 'Dust', 'Noise'].flatMap((topic) => under(topic, `${topic} one`, `${topic} two`))
    expect(new Set(compose(wide).map(({ topic }) => topic)).size).toBe(3)
    const narrow = [...under('Falls', 'Nets', 'Rails'), ...under('Fire', 'Watch', 'Permit')]
    expect(compose(narrow)).toHaveLength(3)
  })

  test('questions about a changed document cover only its new statements', () => {
    const before = [...under('Falls', 'Nets', 'Rails'), ...under('Fire', 'Watch', 'Permit')]
    const after = [...before, ...under('Dust', 'Wet cutting')]
    expect(compose(after, 'a', before).map(({ topic }) => topic)).toEqual(['Dust'])
    expect(compose(before, 'a', before)).toEqual([])
  })

  test.each([
    ['no statements', []],
    ['one topic', under('Falls', 'Nets', 'Rails', 'Ladders tied')],
    ['one other statement', [...under('Falls', 'Nets'), ...under('Fire', 'Watch')]],
    ['the same statement under every topic', ['Falls', 'Fire', 'Dust'].flatMap((topic) => under(topic, 'Induction'))],
  ])('a document with %s has no questions', (_, all) => {
    expect(compose(all)).toEqual([])
  })

  test('statements that differ only in case, spaces and punctuation count as one', () => {
    const all = [...under('Falls', 'Nets'), ...under('Fire', 'nets.', 'Watch'), ...under('Dust', 'Wet cutting')]
    const [falls] = compose(all).filter(({ topic }) => topic === 'Falls')
    expect(falls?.options.toSorted()).toEqual(['Nets', 'Watch', 'Wet cutting'])
  })

  test('statements of a document with 900 controls are compared once each', () => {
    let compared = 0
    const all = Array.from({ length: 900 }, (_, n) => ({
      topic: 'Falls',
      get statement() {
        compared++
        return `Control ${n}`
      },
    }))
    expect(compose(all)).toEqual([])
    expect(compared).toBeLessThanOrEqual(2 * all.length)
  })
})
