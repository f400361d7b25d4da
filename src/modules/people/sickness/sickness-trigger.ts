import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { instant, integer, link } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { employee } from '../employees/employee.ts'
import type { BradfordScore } from '../leave-rules/bradford.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { sicknessAbsence } from './sickness.ts'

/** The days of an absence were recorded or changed. */
export const sicknessChanged = defineEvent({
  kind: 'sickness.changed',
  version: 1,
  payload: z.object({ absence: z.int() }),
})

/** Limits of a company; null for those that it has not set. */
export interface SicknessLimits {
  readonly sicknessScoreLimit: number | null
  readonly sicknessSpellLimit: number | null
}

/** True if the sickness of 52 weeks reaches one of the limits. */
export const reachesLimit = (
  { score, spells }: Pick<BradfordScore, 'score' | 'spells'>,
  { sicknessScoreLimit, sicknessSpellLimit }: SicknessLimits,
): boolean =>
  (sicknessScoreLimit !== null && score >= sicknessScoreLimit) ||
  (sicknessSpellLimit !== null && spells >= sicknessSpellLimit)

/** The sickness of an employee reached a limit of the company with an absence. Reasons are not part of it. */
export const sicknessTrigger = resource({
  type: 'SicknessTrigger',
  service: 'employees',
  path: 'sickness_triggers',
  table: 'sickness_trigger',
  tenant: 'own',
  order: ['-id'],
  fields: {
    employee: link(() => employee, { readonly: true, notNull: true, embed: ['name'], filter: true }),
    absence: link(() => sicknessAbsence, { readonly: true, notNull: true, filter: true }),
    score: integer({ readonly: true, notNull: true, label: 'Bradford score' }),
    spells: integer({ readonly: true, notNull: true }),
    days: integer({ readonly: true, notNull: true }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    rows: [{ unless: HR_ROLES, only: only.whose('employee', only.whose('manager', only.mine('user'))) }],
  },
  pack: 'holidays',
})
