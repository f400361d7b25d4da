import { type Violation, violation } from '#kernel/errors.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { countWords, textOf } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import { readMethodStatement, statementsOf } from '../statements/method-statement.ts'

type Values = Readonly<Record<string, unknown>>

/** Problems beyond the form that block completion: neither a step nor a task. */
export const methodCompletionProblems = (record: Values): Violation[] =>
  rowsOf(record.sequence).length || readMethodStatement(record.methodStatement).taskSelection.length
    ? []
    : [violation('sequence', 'Please add a step or choose a task to describe how the work is done')]

/** True if the ticket expires before the work starts. Only the start date of the work is known. */
const runsOut = (expires: string, startDate: string) => expires !== '' && startDate !== '' && expires < startDate

/** Points to check before completion: amount of content, and expired tickets. */
export function checkMethodCompletion(record: Values, showDay: (day: string) => string): TypeCompletionCheck {
  const method = readMethodStatement(record.methodStatement)
  const [people, starts] = [rowsOf(record.people), textOf(record.startDate)]
  const expired = people.flatMap(({ name, expires }, i) =>
    runsOut(textOf(expires), starts)
      ? [
          {
            text: textOf(name),
            detail: `until ${showDay(textOf(expires))}, but the work starts on ${showDay(starts)}`,
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
      ...countWords(rowsOf(record.sequence).length, 'step'),
      ...countWords(method.taskSelection.length, 'task'),
      ...countWords(statementsOf(method).length, 'statement'),
      ...countWords(rowsOf(record.permits).length, 'permit'),
      ...countWords(people.length, 'person', 'people'),
    ],
    looks: [
      { title: 'Tickets that expire before the work starts', items: expired },
      { title: 'People without a ticket', items: unticketed },
    ].filter(({ items }) => items.length > 0),
  }
}
