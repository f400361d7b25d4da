import { choice, decimal, instant, integer, text, typedJson } from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import type { ServiceStep } from '../leave-rules/entitlement.ts'
import { BANK_HOLIDAY_RULES } from '../leave-rules/leave-history.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

/** Days of a year that are not statutory leave, for a five-day week. */
export const MAX_ADDITIONAL_DAYS = 233
const MONTH_AND_DAY = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** A company's rules of leave: the part of the client record that human resources change. */
export const leaveSettings = resource({
  type: 'LeaveSettings',
  service: 'employees',
  path: 'leave_settings',
  table: 'client',
  tenant: 'self',
  title: 'company',
  fields: {
    company: text({ readonly: true }),
    yearStartsOn: text({
      default: '01-01',
      max: 5,
      column: 'leave_year_starts_on',
      pattern: { regex: MONTH_AND_DAY, message: 'Please enter month and day, such as 04-01' },
      label: 'First day of the leave year',
      help: 'Month and day, such as 04-01. It stays once an adjustment, a carry-over or pay in lieu is recorded.',
    }),
    unit: choice(
      [
        { value: 'days', label: 'Days' },
        { value: 'hours', label: 'Hours' },
      ],
      { default: 'days', column: 'leave_unit', label: 'Unit on screens', help: 'Leave is always stored in minutes.' },
    ),
    bankHolidays: choice(BANK_HOLIDAY_RULES, {
      default: 'counted',
      column: 'leave_bank_holidays',
      label: 'Bank holidays',
    }),
    additionalDays: decimal({
      default: 0,
      min: 0,
      max: MAX_ADDITIONAL_DAYS,
      column: 'leave_additional_days',
      label: 'Days above the statutory 28',
      help: 'For a five-day week. Other patterns have the same number of weeks.',
    }),
    serviceSteps: typedJson<readonly ServiceStep[]>()({
      default: [],
      column: 'leave_service_steps',
      max: 10,
      label: 'Further days after years of service',
    }),
    carryOverDays: decimal({
      default: 0,
      min: 0,
      max: MAX_ADDITIONAL_DAYS,
      column: 'leave_carry_over_days',
      label: 'Days carried over by agreement, at most',
      help: 'For a five-day week. Four weeks of statutory leave are never carried over by agreement.',
    }),
    carryOverMonths: integer({
      default: 12,
      min: 1,
      max: 12,
      column: 'leave_carry_over_months',
      label: 'Months in which they can be taken',
    }),
    cancellation: choice(
      [
        { value: 'beforeStart', label: 'The employee, before the first day' },
        { value: 'approver', label: 'Only the approver' },
      ],
      { default: 'beforeStart', column: 'leave_cancellation', label: 'Who cancels approved leave' },
    ),
    sicknessScoreLimit: integer({
      min: 1,
      max: 1_000_000,
      label: 'Notify from this Bradford score',
      help: 'Human resources and the manager are notified, without the reason. Empty for no notification.',
    }),
    sicknessSpellLimit: integer({
      min: 1,
      max: 365,
      label: 'Notify from this number of spells in 52 weeks',
      help: 'Absences related to a disability or pregnancy are not counted. Empty for no notification.',
    }),
    /** Decides which bank holidays apply to employees without a nation. */
    postcode: text({ readonly: true, visible: HR_ROLES }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, update: HR_ROLES },
  pack: 'holidays',
})

export type LeaveSettings = RowOf<typeof leaveSettings>
