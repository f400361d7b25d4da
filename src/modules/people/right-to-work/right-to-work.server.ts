import { problem, violation } from '#kernel/errors.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { logConfidentialRead } from '#server/engine/confidential-reads.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients, reminderSchedule } from '#server/jobs/remind.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { employee } from '../employees/employee.ts'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import {
  destroyChecks,
  destructionEvidence,
  destructionHandlers,
  destructionNotice,
  remindToDestroy,
} from './destruction.server.ts'
import { rightToWorkNav, rightToWorkPath } from './nav.ts'
import {
  MAX_COPIES,
  rightToWorkCheck,
  rightToWorkCopy,
  rightToWorkDestruction,
  rightToWorkDocument,
  rightToWorkStatus,
} from './right-to-work.ts'
import { checkViolations, defenceEnd, firstDestructionDay, normaliseShareCode, SHARE_CODE_DAYS } from './rules.ts'

interface DocumentRow {
  readonly id: number
  readonly list?: 'A' | 'B'
  readonly group?: number
  readonly name: string
  readonly methods: readonly string[]
  readonly validity: 'any' | 'current' | 'limited' | 'notice' | 'none'
  readonly refusal?: string
}

const documentReference: ReferenceData = {
  name: 'right-to-work documents',
  needs: [],
  edition: 1,
  load: async (c) => {
    const { documents } = readReferenceFile('right-to-work.json') as { readonly documents: readonly DocumentRow[] }
    const rows = documents.map(({ id, list, group, name, methods, validity, refusal }) => ({
      code: String(id),
      name,
      list: list ?? null,
      documentGroup: group ?? null,
      methods: [...methods],
      validity,
      refusal: refusal ?? '',
    }))
    await insertMissingRows(c, rightToWorkDocument, 'code', rows)
  },
}

type Save = Context & BeforeSaveInput<typeof rightToWorkCheck>

/** Throws 422 if the corrected check belongs to another employee, or if only one of check and reason is given. */
async function refuseWrongCorrection(c: Save): Promise<void> {
  const { corrects, correction, employee: of } = c.values
  if (!corrects && !correction) return
  const corrected = corrects ? await c.get(rightToWorkCheck, corrects) : undefined
  if (!corrected) throw problem.invalid([violation('corrects', 'Please choose the check that this one corrects')])
  if (corrected.employee !== of)
    throw problem.invalid([violation('corrects', 'This check belongs to another employee')])
  if (!correction) throw problem.invalid([violation('correction', 'Please enter the reason for the correction')])
  if (await c.exists(rightToWorkCheck, { corrects: corrected.id }))
    throw problem.conflict('This check has been corrected already. Please correct the later one.')
}

/** Throws 403 for one's own check, and 409 if the law no longer lets the company store one. */
async function refuseEmployee(c: Save, id: number): Promise<void> {
  const person = await c.lock(employee, id, 'values')
  if (person.user !== null && person.user === c.actor.userId && c.actor.clientId === c.clientId)
    throw problem.forbidden('Another person has to record the check of your own right to work.')
  if (person.retired && person.leavingDate && firstDestructionDay(person.leavingDate) <= londonDate(c.now).toString())
    throw problem.conflict(
      `${person.name} left on ${formatIsoDateAsUk(person.leavingDate)}. Checks are no longer stored for former employees after two years.`,
    )
}

const checkBehaviour = behaviour(rightToWorkCheck, {
  beforeSave: async (c) => {
    const { employee: of, document: documentId, method, checkedOn, checkedBy } = c.values
    if (!of || !documentId || !method || !checkedOn) return undefined
    const document = await c.get(rightToWorkDocument, documentId)
    if (!document) throw problem.notFound()
    const { expiresOn = null, noticeOn = null, shareCode = '' } = c.values
    const facts = { method, checkedOn, expiresOn, noticeOn, shareCode }
    const wrong = [
      ...checkViolations(document, facts, londonDate(c.now).toString()),
      ...(checkedBy === of ? [violation('checkedBy', 'Employees don’t check their own right to work')] : []),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    await refuseEmployee(c, of)
    await refuseWrongCorrection(c)
    return {
      shareCode: normaliseShareCode(shareCode),
      nextCheckBy: defenceEnd(document, facts),
      createdAt: c.now.toString(),
    }
  },
})

const statusBehaviour = behaviour(rightToWorkStatus, { actions: { destroy: destroyChecks } })

/** Deletes share codes when their time of storage has passed. */
const deleteShareCodes = schedule({
  name: 'people.delete-share-codes',
  every: { minutes: 60 },
  run: (engine) => {
    const today = londonDate(engine.clock.now())
    const last = today.subtract({ days: SHARE_CODE_DAYS }).toString()
    return processRowsForAllClients(
      engine,
      {
        of: rightToWorkCheck,
        where: { shareCodeDeletedOn: null },
        condition: (next) => `t.share_code <> '' AND t.checked_on < ${next(last)}::date`,
        reason: 'people.delete-share-codes',
      },
      async (c, row) => {
        const set = { shareCode: '', shareCodeDeletedOn: today.toString() }
        await c.set(rightToWorkCheck, row, set, 'delete share code')
      },
    )
  },
})

const dueNotice = declareNotificationType({
  kind: 'right-to-work.due',
  label: 'Right-to-work checks that are due again',
  for: HR_PRIVATE_ROLE,
  icon: rightToWorkNav.list.icon,
  of: rightToWorkStatus,
  words: ({ name, nextCheckBy }) =>
    `Right to work of ${name}: check again${nextCheckBy ? ` by ${formatIsoDateAsUk(nextCheckBy)}` : ''}`,
  path: ({ id }) => rightToWorkPath(id),
  waits: 'People',
  todo: 'to check again',
  mail: true,
})

/** Reminds the people who record checks. A check that a later one supersedes, or of a leaver, needs no reminder. */
const dueReminder = reminderSchedule({
  name: 'right-to-work.due',
  of: rightToWorkCheck,
  on: 'nextCheckBy',
  daily: '07:00',
  daysBefore: [60, 30, 7, 0],
  where: {},
  send: async (c, { id, employee: of }) => {
    const [current] = await c.work.tx.rows<{ id: number }>(
      `SELECT k.id::int FROM employee e, current_right_to_work_check($1, $2) k WHERE e.client_id = $1 AND e.id = $2 AND NOT e.retired`,
      [c.clientId, of],
    )
    if (current?.id !== id) return
    const people = await findUsersWithRoles(c.work.tx, c.clientId, [HR_PRIVATE_ROLE])
    await notifyUsers(
      c,
      dueNotice,
      people.map(({ userId }) => ({ to: userId, about: of })),
    )
  },
})

/** Logs that a person opened a copy, as a read of its check. */
async function logOpening({ engine, me, request }: RouteContext, { id }: { readonly id: number }): Promise<void> {
  await engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    const right = c.withoutPermissionCheck('name the employee in the log of confidential reads')
    const check = await right.get(rightToWorkCheck, (await right.get(rightToWorkCopy, id))?.check ?? 0)
    const person = check && (await right.get(employee, check.employee))
    if (check)
      await logConfidentialRead(c.work.tx, c.actor, {
        clientId: me.clientId,
        resource: rightToWorkCheck,
        id: check.id,
        title: person?.name,
        fields: [{ name: 'copies', label: 'Copy of a document' }],
      })
    return () => undefined
  })
}

const copyRoutes = [
  createUploadRoute({
    path: `${rightToWorkCheck.url}/{id}/files`,
    title: 'Upload a copy of the document that was checked: multipart/form-data with `file`',
    allow: HR_PRIVATE_ROLE,
    into: rightToWorkCopy,
    place: async ({ engine, me, params }) => {
      const check = await engine.idOf(rightToWorkCheck, me, params.id)
      await engine.one(rightToWorkStatus, me, (await engine.one(rightToWorkCheck, me, check)).employee.id)
      const copies = await engine.readIn(me.clientId, 'count the copies of a check', (c) =>
        c.find(rightToWorkCopy, { check }),
      )
      if (copies.length >= MAX_COPIES) throw problem.conflict(`A check has at most ${MAX_COPIES} copies.`)
      // The name of the file that was sent may contain details of the document, and stays in the audit trail.
      return { check, name: 'Copy of the document', createdAt: engine.clock.now().toString() }
    },
  }),
  ...createFileRoutes(rightToWorkCopy, HR_PRIVATE_ROLE, logOpening),
]

export const rightToWork = feature({
  pack: 'employees',
  navigation: rightToWorkNav,
  seeds: () => import('./demo.server.ts'),
  resources: [rightToWorkDocument, rightToWorkStatus, rightToWorkCheck, rightToWorkCopy, rightToWorkDestruction],
  behaviours: [checkBehaviour, statusBehaviour],
  routes: copyRoutes,
  handlers: destructionHandlers,
  notifications: [dueNotice, destructionNotice],
  schedules: [deleteShareCodes, dueReminder, remindToDestroy],
  evidence: [destructionEvidence],
  referenceData: [documentReference],
})
