import { text } from '#kernel/fields.ts'
import { only } from '#kernel/row-rules.ts'
import { FINANCE_ROLES } from './rights.ts'

/**
 * Returns the actions to approve or decline a waiting request. They are available to finance staff other than the user
 * named in the given field.
 */
export function secondApproverActions(asked: string) {
  const second = { allow: FINANCE_ROLES, from: ['waiting'], rows: [{ unless: 'nobody', only: only.others(asked) }] }
  return {
    approve: { path: 'approve', title: 'Approve as the second person', input: {}, ...second },
    reject: {
      path: 'reject',
      title: 'Decline',
      input: { reason: text({ required: 'Please enter a reason', max: 500 }) },
      ...second,
    },
  }
}
