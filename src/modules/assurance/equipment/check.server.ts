import { problem, type Violation, violation } from '#kernel/errors.ts'
import { json, link } from '#kernel/fields.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { raiseAction } from '#modules/actions/raise.server.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { customFormAnswer, customFormVersion } from '#modules/safety/custom-forms/custom-form.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { EQUIPMENT_READER_ROLES, EQUIPMENT_ROLES } from '../rights.ts'
import { equipmentCategory } from './category.ts'
import { equipmentCheck, FORM_CHECK_URL, requiredCheck } from './check.ts'
import { equipmentFile, equipmentItem, isPresent } from './item.ts'
import { notifyOfFailedCheck } from './notify.server.ts'

type Save = Context & BeforeSaveInput<typeof equipmentCheck>
type Check = RowOf<typeof equipmentCheck>
type Item = RowOf<typeof equipmentItem>
type Required = RowOf<typeof requiredCheck>

/** Particulars that LOLER 1998, Schedule 1, requires of a report of thorough examination. */
const SCHEDULE_1 = {
  employer: 'Please enter the employer and their address',
  premises: 'Please enter the place of the examination',
  examination: 'Please choose the reason for the examination',
  examiner: 'Please enter the person who examined the item',
  examinerAddress: 'Please enter the address of the examiner',
  qualification: 'Please enter the qualification of the examiner',
  authenticator: 'Please enter the person who signed the report',
  reportedOn: 'Please enter the date of the report',
  nextBy: 'Please enter the day by which the next examination is due',
} as const

/** Returns the violations of dates, result and defects. */
function checkViolations({ values, now }: Save, item: Item, required: Required | undefined): Violation[] {
  const { checkedOn = '', result, defects, immediateDanger, replaces, reportedOn, nextBy, hours } = values
  const today = londonDate(now).toString()
  const needsHours = required?.unit === 'hours' && result === 'passed'
  return [
    ...(checkedOn > today ? [violation('checkedOn', 'The check has not taken place yet')] : []),
    ...(item.purchasedOn && checkedOn < item.purchasedOn
      ? [violation('checkedOn', 'The item was purchased after this day')]
      : []),
    ...(result === 'failed' && !defects ? [violation('defects', 'Please describe the defects', 'required')] : []),
    ...(immediateDanger && result !== 'failed'
      ? [violation('immediateDanger', 'An item with a dangerous defect has failed its check')]
      : []),
    ...(result === 'void' && !replaces
      ? [violation('result', 'Only a correction can state that a check was recorded in error')]
      : []),
    ...(reportedOn && (reportedOn < checkedOn || reportedOn > today)
      ? [violation('reportedOn', 'The report is dated between the examination and today')]
      : []),
    ...(nextBy && nextBy < checkedOn ? [violation('nextBy', 'The next examination is after this one')] : []),
    ...(needsHours && (hours ?? null) === null
      ? [violation('hours', 'Please enter the hours of use', 'required')]
      : []),
  ]
}

/** Throws for an external report without its file or the particulars of LOLER, Schedule 1. */
async function refuseIncompleteReport(c: Save, required: Required | undefined): Promise<void> {
  const { source, report, item, result } = c.values
  const file = report ? await c.get(equipmentFile, report) : undefined
  if (file && file.item !== item) throw problem.invalid([violation('report', 'This file belongs to another item')])
  if (source !== 'report') return
  if (!hasRole(c.actor, EQUIPMENT_ROLES) && !c.actor.kind)
    throw problem.forbidden('Reports of external examiners are recorded by the people who manage the equipment.')
  if (!file) throw problem.invalid([violation('report', 'Please add the report', 'required')])
  const category = required?.category ? await c.get(equipmentCategory, required.category) : undefined
  if (!category?.reference.startsWith('LOLER') || result === 'void') return
  const missing = Object.entries(SCHEDULE_1).filter(([name]) => !c.values[name as keyof typeof SCHEDULE_1])
  if (missing.length) throw problem.invalid(missing.map(([name, message]) => violation(name, message, 'required')))
}

/** Throws if the check needs a completed form and has none, or passes although its form failed. */
async function refuseOtherForm(c: Save, required: Required | undefined): Promise<void> {
  const { answer: id, result, source, replaces } = c.values
  const answer = id ? await c.get(customFormAnswer, id) : undefined
  if (answer && answer.form !== required?.form)
    throw problem.invalid([violation('answer', 'This form does not belong to the check')])
  if (answer && !replaces && (await c.exists(equipmentCheck, { answer: answer.id })))
    throw problem.invalid([violation('answer', 'This completed form belongs to another check')])
  if (required?.form && source === 'own' && !answer && result !== 'void')
    throw problem.invalid([violation('answer', 'Please complete the form of the check', 'required')])
  if (answer?.result === 'failed' && result === 'passed')
    throw problem.invalid([violation('result', 'The completed form failed, so the check failed')])
}

/**
 * Throws for a correction that is not of the same item and check, has no reason, or would return the item to service: only
 * a further, passed check does.
 */
async function refuseWrongCorrection(c: Save): Promise<void> {
  const { replaces, reason, item, requiredCheck: required = null, result, checkedOn } = c.values
  if (!replaces && !reason) return
  const replaced = replaces ? await c.get(equipmentCheck, replaces) : undefined
  if (!replaced) throw problem.invalid([violation('replaces', 'Please choose the check that this one corrects')])
  if (!reason) throw problem.invalid([violation('reason', 'Please enter the reason for the correction', 'required')])
  if (replaced.item !== item || replaced.requiredCheck !== required)
    throw problem.invalid([violation('replaces', 'A correction is of the same item and check')])
  if (await c.exists(equipmentCheck, { replaces: replaced.id }))
    throw problem.conflict('This check has been corrected already. Please correct the later one.')
  if (replaced.result === 'failed' && (result !== 'failed' || replaced.checkedOn !== checkedOn))
    throw problem.conflict(
      'A failed check stays failed, on its day. Record a passed check to return the item to service.',
    )
}

/** Throws for a person who may not decide that an item is fit again, or may not correct checks. */
function refuseRole({ actor, values }: Save, item: Item): void {
  if (actor.kind || hasRole(actor, EQUIPMENT_ROLES)) return
  if (values.replaces) throw problem.forbidden('Checks are corrected by the people who manage the equipment.')
  if (item.fitness === 'out of service' && values.result === 'passed')
    throw problem.forbidden(
      `${item.number} is out of service. The people who manage the equipment record the check that returns it to service.`,
    )
}

async function findRequired(c: Save): Promise<Required | undefined> {
  const { requiredCheck: id, item, replaces } = c.values
  const required = id ? await c.get(requiredCheck, id) : undefined
  if (required && required.item !== item)
    throw problem.invalid([violation('requiredCheck', 'This check belongs to another item')])
  if (required?.retired && !replaces) throw problem.invalid([violation('requiredCheck', 'This check has ended')])
  return required
}

/** Creates a corrective action for the holder, or else for the person who recorded the check. */
async function raiseActionOfFailure(c: Context, item: Item, check: Check, part: string): Promise<void> {
  const holder = item.holder === null ? undefined : await c.get(employee, item.holder)
  const { actor } = c
  const owner =
    holder && !holder.retired
      ? { employee: holder.id }
      : hasRole(actor, DOCUMENT_READER_ROLES)
        ? { owner: actor.userId }
        : { managerName: actor.name }
  await raiseAction(
    c.withoutPermissionCheck('a failed check creates a corrective action'),
    {
      description: `${item.number} ${item.name}: ${check.defects}`.slice(0, 4000),
      deadline: check.repairBy,
      notes: check.immediateDanger
        ? 'Immediate danger: the person who examined the item sends a copy of the report to the enforcing authority (LOLER 1998 reg 10).'
        : '',
      adminNotes: '',
      managerName: '',
      email: '',
      ...owner,
    },
    { source: iriOf(equipmentItem, item.id), sourceTitle: item.number, sourcePart: part },
  )
}

export const checkBehaviour = behaviour(equipmentCheck, {
  beforeSave: async (c) => {
    const { item: id, checkedOn, result, replaces } = c.values
    if (!id || !checkedOn || !result) return undefined
    const item = await c.lock(equipmentItem, id)
    if (!isPresent(item.lifecycle) && !replaces)
      throw problem.conflict(`${item.number} is ${item.lifecycle}, so it is not checked any more.`)
    refuseRole(c, item)
    const required = await findRequired(c)
    const wrong = checkViolations(c, item, required)
    if (wrong.length) throw problem.invalid(wrong)
    await refuseWrongCorrection(c)
    await refuseIncompleteReport(c, required)
    await refuseOtherForm(c, required)
    return { examiner: c.values.examiner?.trim() || c.actor.name, createdAt: c.now.toString() }
  },
  afterSave: async (c) => {
    const check = await c.written.saved()
    const item = await c.lock(equipmentItem, check.item)
    if ((check.hours ?? 0) > (item.hoursUsed ?? 0))
      await c.set(equipmentItem, item, { hoursUsed: check.hours }, 'check')
    const replaced = check.replaces ? await c.get(equipmentCheck, check.replaces) : undefined
    if (check.result !== 'failed' || replaced?.result === 'failed') return
    const required = check.requiredCheck ? await c.get(requiredCheck, check.requiredCheck) : undefined
    await raiseActionOfFailure(c, item, check, required?.name ?? 'Defect')
    await notifyOfFailedCheck(c, item, check.id)
  },
})

const { item, requiredCheck: required, checkedOn, result, defects, immediateDanger, hours } = equipmentCheck.fields

/** Receives a check and its completed form together, so that a check without connection is sent as one request. */
export const formCheckRoute = routeWithInput(
  {
    item: { ...item, embed: undefined },
    requiredCheck: { ...required, embed: undefined },
    checkedOn,
    result,
    defects,
    immediateDanger,
    hours,
    version: link(() => customFormVersion, { required: 'Please choose the form version' }),
    answers: json({ required: 'Please fill in the form', max: 20_000 }),
  },
  {
    method: 'POST',
    path: FORM_CHECK_URL,
    title: 'Record a check together with its completed form; either both are stored or neither',
    allow: EQUIPMENT_READER_ROLES,
    handle: ({ engine, me, input, change }) => {
      const { version, answers, ...check } = input
      return engine.inTenant(me.clientId, { ...change(), resource: equipmentCheck }, async (c) => {
        const of = await c.get(customFormVersion, version)
        if (!of) throw problem.unknownTarget(iriOf(customFormVersion, version))
        const answer = await (
          await c
            .withoutPermissionCheck('a check creates the completed form that it contains')
            .create(customFormAnswer, { form: of.form, version, answers })
        ).saved()
        const written = await c.create(equipmentCheck, { ...check, answer: answer.id })
        await written.saved()
        return () => serialiseWrittenRecord(equipmentCheck, me, written)
      })
    },
  },
)
