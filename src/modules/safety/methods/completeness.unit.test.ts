import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMethodStatementCompletion, methodStatementCompletionProblems } from './completeness.ts'

const day = fc.constantFrom('', '2026-11-30', '2026-12-01', '2026-12-02')
const person = fc.record({
  name: fc.constantFrom('Ann', 'Ben'),
  tickets: fc.constantFrom(null, [], ['CSCS'], ['CSCS', 'IPAF']),
  expires: day,
})

test("a method statement with neither a step nor a task can't be completed, even if everything else is filled in", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ title: fc.string() }), { maxLength: 2 }),
      fc.array(fc.record({ title: fc.string() }), { maxLength: 2 }),
      fc.boolean(),
      (sequence, taskSelection, statements) => {
        const defaultStatements = statements ? [{ '@id': '/1', title: 'Stop', text: '' }] : []
        const found = methodStatementCompletionProblems({
          sequence,
          methodStatement: { taskSelection, defaultStatements },
        })
        expect(found.length === 0).toBe(sequence.length + taskSelection.length > 0)
      },
    ),
  )
  for (const nothing of [{}, { sequence: 'x', methodStatement: 'y' }, { sequence: null, methodStatement: null }])
    expect(methodStatementCompletionProblems(nothing)).toHaveLength(1)
})

test('the completion check lists people without a ticket and tickets that expire before the work starts', () => {
  fc.assert(
    fc.property(fc.array(person, { maxLength: 4 }), day, (people, startDate) => {
      const { looks } = checkMethodStatementCompletion({ people, startDate }, (d) => d)
      const at = (title: RegExp) => looks.find((l) => title.test(l.title))?.items.map((i) => i.at) ?? []
      expect(at(/expire/)).toEqual(
        people.flatMap((p, i) => (p.expires && startDate && p.expires < startDate ? [`people[${i}].expires`] : [])),
      )
      expect(at(/without/)).toEqual(people.flatMap((p, i) => (p.tickets?.length ? [] : [`people[${i}].tickets`])))
    }),
  )
})

test('the completion check counts the steps, tasks, statements, permits and people to be sealed', () => {
  const chosen = (title: string) => ({ '@id': `/${title}`, title, text: '' })
  const { sums } = checkMethodStatementCompletion(
    {
      sequence: [{ title: 'Arrive' }, { title: 'Dig' }],
      methodStatement: { defaultStatements: [chosen('Stop')], taskSelection: [chosen('Dig')] },
      permits: [{ name: 'Excavation' }],
      people: [{ name: 'Ann', tickets: ['CPCS'] }],
    },
    (d) => d,
  )
  expect(sums).toEqual(['2 steps', '1 task', '1 statement', '1 permit', '1 person'])
})
