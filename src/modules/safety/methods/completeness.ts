import { type Violation, violation } from '#kernel/errors.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import { parseMethodStatement, statementsInMethodStatement } from '../statements/method-statement.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Returns a problem that blocks completion if there is neither a step nor a task. The form doesn't check for this
 * problem.
 */
export const methodStatementCompletionProblems = (record: Values): Violation[] =>
  toRowObjects(record.sequence).length || parseMethodStatement(record.methodStatement).taskSelection.length
    ? []
    : [violation('sequence', 'Please add a step or choose a task to describe how the work is done')]

/**
 * Returns true if the ticket expires before the work starts. Later expiry is not checked, because only the start date
 * of the work is known.
 */
const runsOut = (expires: string, startDate: string) => expires !== '' && startDate !== '' && expires < startDate

/**
 * Returns the points to check before completion: the amount of content, tickets that expire before the work starts, and
 * people without a ticket.
 */
export function checkMethodStatementCompletion(record: Values, showDay: (day: string) => string): TypeCompletionCheck {
  const method = parseMethodStatement(record.methodStatement)
  const [people, starts] = [toRowObjects(record.people), toText(record.startDate)]
  const expired = people.flatMap(({ name, expires }, i) =>
    runsOut(toText(expires), starts)
      ? [
          {
            text: toText(name),
            detail: `valid until ${showDay(toText(expires))}, but the work starts on ${showDay(starts)}`,
            at: `people[${i}].expires`,
          },
        ]
      : [],
  )
  const unticketed = people.flatMap(({ name, tickets }, i) =>
    Array.isArray(tickets) && tickets.length ? [] : [{ text: toText(name), at: `people[${i}].tickets` }],
  )
  return {
    sums: [
      ...formatCountWithNoun(toRowObjects(record.sequence).length, 'step'),
      ...formatCountWithNoun(method.taskSelection.length, 'task'),
      ...formatCountWithNoun(statementsInMethodStatement(method).length, 'statement'),
      ...formatCountWithNoun(toRowObjects(record.permits).length, 'permit'),
      ...formatCountWithNoun(people.length, 'person', 'people'),
    ],
    looks: [
      { title: 'Tickets that expire before the work starts', items: expired },
      { title: 'People without a ticket', items: unticketed },
    ].filter(({ items }) => items.length > 0),
  }
}
