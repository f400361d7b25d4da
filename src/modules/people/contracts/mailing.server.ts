import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { readRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { type RejectedItem, schedule } from '#server/engine/schedule.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'
import { contract, contractNumbers, OPEN_STATES } from './contract.ts'
import { type ContractMailing, contractMailing, MAILING_PREVIEW_URL, type MailingPreview } from './contract-mailing.ts'
import { type ContractTemplateVersion, contractTemplate, contractTemplateVersion } from './contract-template.ts'
import { deliverContract, deliveryProblem, prepareDelivery, readOfficeAddresses } from './deliver.server.ts'
import { contractEvidence } from './evidence.ts'
import { requireCountersigner } from './signing.server.ts'
import { contractDigest, fillContract, readMergeValues } from './values.server.ts'

const PEOPLE_PER_STEP = 20
/** Maximum number of employees in one mailing. */
const MAX_PEOPLE = 5000
/** Maximum number of joiners who get a contract in one run; the others get it in the next. */
const MAX_JOINERS = 50

type Employee = RowOf<typeof employee>
type Audience = Pick<ContractMailing, 'employee' | 'department' | 'site'>

/** Returns the employees in service that a mailing reaches. Subcontractors get a contract only singly. */
async function findRecipients(c: RecordReader, { employee: one, department, site }: Audience): Promise<Employee[]> {
  if (one !== null) return c.find(employee, { id: one })
  return c.find(employee, {
    retired: false,
    isSubby: false,
    ...(department === null ? {} : { department }),
    ...(site === null ? {} : { site }),
  })
}

/** Version of a template, countersigner and sender of a mailing. */
interface ContractOffer {
  readonly clientId: number
  readonly version: ContractTemplateVersion
  readonly countersigner: Employee
  readonly sender: string | null
  readonly now: Context['now']
  /** True for one employee, who may sign a version again. */
  readonly isSingle: boolean
}

/** A recipient with the text for them, or the reason why they get no contract. */
interface PlannedContract {
  readonly of: Employee
  readonly body: string
  readonly problem: string
}

/** Plans a contract for each recipient, without sending anything. */
async function planContracts(
  c: RecordReader,
  people: readonly Employee[],
  offer: ContractOffer,
): Promise<PlannedContract[]> {
  const { clientId, version, countersigner, sender, now, isSingle } = offer
  const values = await readMergeValues(c, clientId, people, { countersigner: countersigner.id, now })
  const offices = await readOfficeAddresses(c, sender, countersigner)
  const states = isSingle ? [...OPEN_STATES] : [...OPEN_STATES, 'complete' as const]
  const current = await c.find(contract, {
    employee: people.map(({ id }) => id),
    template: version.template,
    templateVersion: version.version,
    state: states,
  })
  const numbers = new Map(current.map((one) => [one.employee, one.number]))
  return people.map((of) => {
    const own = values.get(of.id)
    const { body, problem: gap } = own
      ? fillContract(version, of.name, own)
      : { body: '', problem: `${of.name} was not found` }
    const number = numbers.get(of.id)
    const reason =
      (of.id === countersigner.id ? `${of.name} can’t countersign their own contract` : '') ||
      (number ? `${of.name} already has this version as contract ${number}` : '') ||
      deliveryProblem(of, offices) ||
      gap
    return { of, body, problem: reason }
  })
}

/** Creates, seals and delivers a planned contract. Throws 409 with its problem. */
async function sendContract(
  c: Context,
  mailing: ContractMailing,
  { version, countersigner }: ContractOffer,
  plan: PlannedContract,
): Promise<void> {
  const { of, body } = plan
  if (plan.problem) throw problem.conflict(`${plan.problem}.`)
  const { text: number } = await issueSequenceNumber(c, contractNumbers)
  const sent = { title: version.name, employeeName: of.name, body }
  const written = await c.withoutPermissionCheck('saving a mailing sends its contracts').create(contract, {
    ...sent,
    number,
    template: version.template,
    templateVersion: version.version,
    writtenStatement: version.writtenStatement,
    mailing: mailing.id,
    employee: of.id,
    countersigner: countersigner.id,
    digest: contractDigest(number, sent),
    signUntil: londonDate(c.now).add({ days: mailing.days }).toString(),
    createdAt: c.now.toString(),
    ...(await prepareDelivery(c, of)),
    author: mailing.author,
  })
  const row = await written.saved()
  await sealEvent(c, contractEvidence, { event: 'sent', id: row.id })
  await deliverContract(c, row, of)
}

async function readVersion(c: RecordReader, template: number, version: number): Promise<ContractTemplateVersion> {
  const [found] = await c.find(contractTemplateVersion, { template, version })
  if (!found) throw problem.notFound()
  return found
}

async function offerOf(c: Context, mailing: ContractMailing, version: number): Promise<ContractOffer> {
  return {
    clientId: c.clientId,
    version: await readVersion(c, mailing.template, version),
    countersigner: await requireCountersigner(c, mailing.countersigner, mailing.employee),
    sender: mailing.author,
    now: c.now,
    isSingle: mailing.employee !== null,
  }
}

/** Sends planned contracts, each separately. Returns the refusals. */
async function sendPlanned(
  c: Context,
  mailing: ContractMailing,
  offer: ContractOffer,
  plans: readonly PlannedContract[],
) {
  const refused: RejectedItem[] = []
  for (const plan of plans) {
    const tried = await c.attempt(() => sendContract(c, mailing, offer, plan))
    if ('refused' in tried) refused.push({ line: plan.of.id, reason: tried.refused.message, code: tried.refused.code })
  }
  return { done: plans.length - refused.length, refused }
}

export const mailingJob = defineBatchJob({
  kind: 'contract.mailing',
  title: 'Send contracts',
  queue: 'bulk',
  as: 'starter',
  input: z.object({ mailing: z.int() }),
  cursor: z.int(),
  begin: async (c, { input }) => {
    const mailing = await c.get(contractMailing, input.mailing)
    return mailing ? (await findRecipients(c, mailing)).length : 0
  },
  steps: async function* (engine, run, from) {
    const { mailing: id } = run.input
    const ids = await engine.readIn(run.clientId, 'recipients of contracts', async (c) => {
      const mailing = await c.get(contractMailing, id)
      return mailing ? (await findRecipients(c, mailing)).map((one) => one.id) : []
    })
    const left = ids.filter((one) => one > (from ?? 0))
    for (let n = 0; n < left.length; n += PEOPLE_PER_STEP) {
      const batch = left.slice(n, n + PEOPLE_PER_STEP)
      yield {
        cursor: batch.at(-1) ?? 0,
        execute: async (c) => {
          const mailing = await c.lock(contractMailing, id)
          const offer = await offerOf(c, mailing, mailing.templateVersion)
          return sendPlanned(c, mailing, offer, await planContracts(c, await c.find(employee, { id: batch }), offer))
        },
      }
    }
  },
})

export const mailingBehaviour = behaviour(contractMailing, {
  beforeSave: async (c) => {
    const { template, templateVersion, employee: one, department, site, joiners, countersigner } = c.values
    const current = template ? await c.get(contractTemplate, template) : undefined
    if (!current || current.retired)
      throw problem.invalid([violation('template', 'This template is retired. Please choose another')])
    if (current.version !== templateVersion)
      throw problem.conflict('This template has been changed since you read it. Please read the preview again.')
    if (one && (department || site || joiners))
      throw problem.invalid([violation('employee', 'Please choose either one employee or a group')])
    await requireCountersigner(c, countersigner ?? 0, one ?? null)
    if (one) return { createdAt: c.now.toString() }
    const people = await findRecipients(c, { employee: null, department: department ?? null, site: site ?? null })
    if (people.length > MAX_PEOPLE) throw problem.tooLarge(`${MAX_PEOPLE.toLocaleString('en-GB')} employees at a time`)
    return { createdAt: c.now.toString() }
  },
  afterSave: async (c) => {
    if (c.before) return
    const mailing = await c.written.saved()
    if (mailing.employee === null) {
      const run = await startBatchJob(c, mailingJob, { mailing: mailing.id })
      await c.set(contractMailing, mailing, { run }, 'start')
      return
    }
    const offer = await offerOf(c, mailing, mailing.templateVersion)
    const [plan] = await planContracts(c, await findRecipients(c, mailing), offer)
    if (!plan) throw problem.notFound()
    if (plan.problem) throw problem.invalid([violation('employee', plan.problem)])
    await sendContract(c, mailing, offer, plan)
  },
  actions: {
    stop: (c) => {
      if (!c.row.joiners || c.row.retired) throw problem.conflict('Nothing is sent to joiners.', 'wrong_state')
      return { set: { retired: true } }
    },
  },
})

/** Employees of the group without a contract of the mailing, as a condition on `t`. */
const HAS_JOINERS = `EXISTS (SELECT FROM employee e
  WHERE e.client_id = t.client_id AND NOT e.retired AND NOT e.is_subby AND e.id <> t.countersigner_id
    AND (t.department_id IS NULL OR e.department_id = t.department_id) AND (t.site_id IS NULL OR e.site_id = t.site_id)
    AND NOT EXISTS (SELECT FROM employment_contract k WHERE k.client_id = t.client_id AND k.mailing_id = t.id AND k.employee_id = e.id))`

/** Sends contracts to employees who have joined a group since, whatever changed them: a save, an import or a change dated ahead. */
export const sendToJoiners = schedule({
  name: 'contract.send-to-joiners',
  every: { minutes: 15 },
  run: (engine) =>
    processRowsForAllClients(
      engine,
      {
        of: contractMailing,
        where: { joiners: true, retired: false },
        condition: () => HAS_JOINERS,
        reason: 'contract.send-to-joiners',
      },
      async (c, mailing) => {
        if ((await findPackState(c, c.clientId, 'employees')) !== 'active') return
        const sent = new Set((await c.find(contract, { mailing: mailing.id })).map((one) => one.employee))
        const people = (await findRecipients(c, mailing)).filter(
          ({ id }) => !sent.has(id) && id !== mailing.countersigner,
        )
        const template = await c.get(contractTemplate, mailing.template)
        const tried = await c.attempt(async () => {
          const offer = await offerOf(c, mailing, template?.version ?? 0)
          const plans = await planContracts(c, people, offer)
          await sendPlanned(c, mailing, offer, plans.filter((plan) => !plan.problem).slice(0, MAX_JOINERS))
        })
        if ('refused' in tried)
          engine.log.warn({ mailing: mailing.id, reason: tried.refused.message }, 'Joiners got no contract')
      },
    ),
})

const { template, employee: one, department, site, countersigner } = contractMailing.fields

/** Shows who would get a contract, by which way, and who would not and why. */
export const mailingPreviewRoute = routeWithInput(
  { template, employee: one, department, site, countersigner },
  {
    method: 'POST',
    path: MAILING_PREVIEW_URL,
    title: 'Show who would get a contract, and who would not and why',
    allow: HR_ROLES,
    whileImpersonating: true,
    handle: async ({ engine, me, now, input }) => {
      const { clientId } = me
      const { perDayLeft, plans, version } = await engine.readIn(
        clientId,
        'human resources send contracts',
        async (c) => {
          const chosen = await c.get(contractTemplate, input.template)
          const signatory = await c.get(employee, input.countersigner)
          if (!chosen || !signatory) throw problem.notFound()
          const current = await readVersion(c, chosen.id, chosen.version)
          const audience = {
            employee: input.employee ?? null,
            department: input.department ?? null,
            site: input.site ?? null,
          }
          const people = await findRecipients(c, audience)
          const offer = {
            clientId,
            version: current,
            countersigner: signatory,
            sender: me.username,
            now,
            isSingle: audience.employee !== null,
          }
          const { left } = await engine.db.tx({ clientId }, (tx) => readRecipientAllowance(tx, clientId, now))
          return { perDayLeft: left, plans: await planContracts(c, people, offer), version: current }
        },
      )
      const rows = plans.map(({ of, problem: reason }) => ({
        employee: of.id,
        name: of.name,
        email: of.user === null ? of.email : '',
        problem: reason,
      }))
      const emails = rows.filter(({ email, problem: reason }) => email && !reason).length
      const preview: MailingPreview = {
        rows,
        emailsToday: Math.min(emails, perDayLeft),
        sample: plans.find((plan) => !plan.problem)?.body ?? '',
      }
      return {
        '@id': MAILING_PREVIEW_URL,
        '@type': 'ContractMailingPreview',
        template: iriOf(contractTemplate, version.template),
        version: version.version,
        ...preview,
      }
    },
  },
)
