import { type Violation, violation } from '#kernel/errors.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { countOf, textOf } from '#kernel/text.ts'
import type { Checked } from '#modules/documents/types/checked.ts'
import { methodOf, statementsIn } from '../statements/chosen.ts'

type Values = Readonly<Record<string, unknown>>

/** What keeps a method statement from being complete, beyond its form: it says in no way how the work is done. */
export const methodProblems = (record: Values): Violation[] =>
  rowsOf(record.sequence).length || methodOf(record.methodStatement).taskSelection.length
    ? []
    : [violation('sequence', 'Please say how the work is done: add a step, or choose a task')]

/** The last day of which is known that people work by it; the work has begun by then. */
const runsOut = (expires: string, startDate: string) => expires !== '' && startDate !== '' && expires < startDate

/** What whoever completes a method statement looks at once more: how much it says, and whose tickets are out of date. */
export function checkedMethod(record: Values, showDay: (day: string) => string): Checked {
  const method = methodOf(record.methodStatement)
  const [people, starts] = [rowsOf(record.people), textOf(record.startDate)]
  const expired = people.flatMap(({ name, expires }, i) =>
    runsOut(textOf(expires), starts)
      ? [
          {
            text: textOf(name),
            detail: `until ${showDay(textOf(expires))}, and the work starts on ${showDay(starts)}`,
            at: `people[${i}].expires`,
          },
        ]
      : [],
  )
  const unticketed = people.flatMap(({ name, tickets }, i) =>
    Array.isArray(tickets) && tickets.length ? [] : [{ text: textOf(name), at: `people[${i}].tickets` }],
  )
  return {
    sums: [
      ...countOf(rowsOf(record.sequence).length, 'step'),
      ...countOf(method.taskSelection.length, 'task'),
      ...countOf(statementsIn(method).length, 'statement'),
      ...countOf(rowsOf(record.permits).length, 'permit'),
      ...countOf(people.length, 'person', 'people'),
    ],
    looks: [
      { title: 'Tickets that run out before the work starts', items: expired },
      { title: 'People without a ticket', items: unticketed },
    ].filter(({ items }) => items.length > 0),
  }
}
