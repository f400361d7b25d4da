import { type AccessRule, only, type RowCondition } from '#kernel/row-rules.ts'
import { HR_ROLES } from '../rights.ts'

const ofEmployee = (condition: RowCondition) => only.whose('employee', condition)

export const ofMyself: RowCondition = ofEmployee(only.mine('user'))
const ofMyReports: RowCondition = ofEmployee(only.whose('manager', only.mine('user')))
const whereIApprove: RowCondition = ofEmployee(only.whose('department', only.whose('approver', only.mine('user'))))
const whereIDeputise: RowCondition = ofEmployee(only.whose('department', only.whose('deputy', only.mine('user'))))
/** Employees themselves, and those who report to the actor directly or indirectly, or whose department the actor heads. */
const inMyCharge: RowCondition = only.inSet('employee', 'employees_in_charge')

/** Employees read their own leave; managers, heads and approvers that of their people; human resources all of it. */
export const LEAVE_ROWS: readonly AccessRule[] = [
  { unless: HR_ROLES, only: only.either(inMyCharge, whereIApprove), verbs: ['read'] },
  { unless: HR_ROLES, only: only.either(ofMyself, ofMyReports, whereIApprove), verbs: ['create', 'update', 'delete'] },
]

/** Those who decide on leave. The employee is refused by the action itself, also as the head of the department. */
export const DECIDER_ROWS: readonly AccessRule[] = [{ unless: HR_ROLES, only: only.either(inMyCharge, whereIApprove) }]

/**
 * Everybody who can read leave can read annual leave. The kind of any other leave is private: only the employee, the
 * manager, the approver and deputy of the department, and human resources read the request. Others see that the person
 * is absent.
 */
export const REQUEST_ROWS: readonly AccessRule[] = [
  ...LEAVE_ROWS,
  {
    unless: HR_ROLES,
    only: only.either(only.on('deducted'), ofMyself, ofMyReports, whereIApprove, whereIDeputise),
    verbs: ['read'],
  },
]
