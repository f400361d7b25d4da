import { text } from '#kernel/fields.ts'
import { only } from '#kernel/row-rules.ts'
import { FINANCE } from './rights.ts'

/** What waits is approved, or not, by a second person: whoever looks after money and is not who asked for it, as that field says. */
export function bySecondPerson(asked: string) {
  const second = { allow: FINANCE, from: ['waiting'], rows: [{ unless: 'nobody', only: only.others(asked) }] }
  return {
    approve: { path: 'approve', title: 'Approve, as the second person', input: {}, ...second },
    reject: {
      path: 'reject',
      title: 'Do not approve',
      input: { reason: text({ required: 'Please say why', max: 500 }) },
      ...second,
    },
  }
}
