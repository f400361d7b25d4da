import { type AccessRule, only, type RowCondition } from '#kernel/row-rules.ts'
import { HR_ROLES } from '../rights.ts'

const ofEmployee = (condition: RowCondition) => only.whose('employee', condition)
const ofDepartment = (field: 'head' | 'deputy' | 'approver') =>
  ofEmployee(only.whose('department', only.whose(field, only.mine('user'))))

export const ofMyself: RowCondition = ofEmployee(only.mine('user'))

/** Employees who report to the actor, or whose department the actor heads or approves leave for. */
const ofThoseIDecideOn: RowCondition = only.either(
  ofEmployee(only.whose('manager', only.mine('user'))),
  ofDepartment('approver'),
  ofDepartment('deputy'),
  ofDepartment('head'),
)

/** Employees read their own leave, managers and heads that of their people, and human resources all of it. */
export const LEAVE_ROWS: readonly AccessRule[] = [{ unless: HR_ROLES, only: only.either(ofMyself, ofThoseIDecideOn) }]
export const DECIDER_ROWS: readonly AccessRule[] = [{ unless: HR_ROLES, only: ofThoseIDecideOn }]
