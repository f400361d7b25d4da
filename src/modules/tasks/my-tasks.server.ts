import { type PackChoice, packState } from '#kernel/packs.ts'
import { type Actor, hasRole, type Roles } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { narrowToDocumentsToSign } from '#modules/documents/lifecycle/own-work.server.ts'
import { ANY_DOCUMENT_READER_ROLES, DOCUMENT_PACKS, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { documentToSign } from '#modules/documents/signoff/requested-document.ts'
import { narrowToOwnRequests } from '#modules/documents/signoff/routes.server.ts'
import { signOffPerson } from '#modules/documents/signoff/sign-off.ts'
import { document } from '#modules/documents/types/document.ts'
import type { ItemToSign } from '#modules/documents/types/to-sign.ts'
import { type DocumentTypeInfo, documentPath, documentTypeName } from '#modules/documents/types/type-info.ts'
import { INCIDENT_PATHS } from '#modules/incidents/reports/paths.ts'
import { INCIDENT_REPORTER_ROLES } from '#modules/incidents/rights.ts'
import { contract, UNSIGNED_STATES } from '#modules/people/contracts/contract.ts'
import { contractPath } from '#modules/people/contracts/nav.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'
import { completeFormPath } from '#modules/safety/custom-forms/paths.ts'
import { formSchedule } from '#modules/safety/form-schedule/form-schedule.ts'
import { narrowToOwnTalks } from '#modules/safety/talks/presented-rules.server.ts'
import { talkToSign } from '#modules/safety/talks/talks-to-sign.ts'
import { attendeeWithTalk } from '#modules/safety/talks/toolbox-talk.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { MAX_TASKS, MY_TASKS_URL, type MyTask, type MyTasks } from './my-tasks.ts'
import { tasksNav } from './nav.ts'
import { readOwnChecklistTasks } from './own-checklists.server.ts'
import { readOwnLeave } from './own-leave.server.ts'
import { readOwnTraining } from './own-training.server.ts'

const PAGE = { limit: MAX_TASKS, offset: 0 }
const WITHOUT_COUNT = { count: false } as const
/** Number of days ahead for which due forms are listed. */
const FORMS_AHEAD = { days: 7 }

const mayUse = (actor: Actor, roles: Roles, pack: PackChoice = 'safety'): boolean =>
  hasRole(actor, roles) && packState(actor, pack) === 'active'

const taskOf = ({ key, title, detail, to, by }: ItemToSign): MyTask => ({ key, title, detail, to, due: by })

/** Documents and talks that await the user's signature, by due date. */
async function readSignatures(c: RouteContext, kinds: readonly DocumentTypeInfo[]): Promise<MyTask[]> {
  const requests = narrowToOwnRequests({ me: c.me, query: {} })
  const talks = narrowToOwnTalks({ me: c.me, query: {} })
  const asked = await c.engine.list(signOffPerson, c.me, requests.query, PAGE, { ...WITHOUT_COUNT, ...requests })
  const attended = mayUse(c.me, DOCUMENT_READER_ROLES)
    ? await c.engine.list(attendeeWithTalk, c.me, talks.query, PAGE, { ...WITHOUT_COUNT, ...talks })
    : { members: [] }
  return [...asked.members.map((one) => documentToSign(kinds, one)), ...attended.members.map(talkToSign)]
    .toSorted((a, b) => a.by.localeCompare(b.by))
    .map(taskOf)
}

/** Contracts that the user signs or countersigns, by last day. */
async function readContracts(c: RouteContext): Promise<MyTask[]> {
  if (!hasRole(c.me, EMPLOYEE_READER_ROLES) || packState(c.me, 'employees') !== 'active') return []
  const [own] = await c.engine.readIn(c.me.clientId, 'people read their own contracts', (read) =>
    read.find(employee, { user: c.me.userId }),
  )
  if (!own) return []
  const list = (query: Readonly<Record<string, string | string[]>>) =>
    c.engine.list(contract, c.me, { 'order[signUntil]': 'asc', ...query }, PAGE, WITHOUT_COUNT)
  const sign = await list({ employee: String(own.id), state: [...UNSIGNED_STATES] })
  const countersign = await list({ countersigner: String(own.id), state: 'signed' })
  return [
    ...sign.members.map(({ id, title, number, signUntil }) => ({
      key: `contract ${id}`,
      title,
      detail: `Contract ${number}`,
      to: contractPath(id),
      due: signUntil,
    })),
    ...countersign.members.map(({ id, title, number, employee: of }) => ({
      key: `contract ${id}`,
      title,
      detail: `Countersign contract ${number} of ${of.name}`,
      to: contractPath(id),
      due: null,
    })),
  ]
}

/** Documents in force that every reader signs, and that the user has not signed. Nobody asked for them by a day. */
async function readDocuments(c: RouteContext, kinds: readonly DocumentTypeInfo[]): Promise<MyTask[]> {
  const { query, extra } = narrowToDocumentsToSign({ me: c.me, query: { asked: 'false', 'order[updatedAt]': 'desc' } })
  const { members } = await c.engine.list(document, c.me, query, PAGE, { ...WITHOUT_COUNT, extra })
  return members.map((one) => ({
    key: `document ${one.id}`,
    title: one.title || `Untitled ${one.documentNumber}`,
    detail: `${documentTypeName(kinds, one.kind)} ${one.documentNumber}, revision ${one.revision}`,
    to: documentPath(kinds, one),
    due: null,
  }))
}

/** Forms that the user has to complete soon or late, most overdue first. */
async function readForms(c: RouteContext): Promise<MyTask[]> {
  const query = {
    user: String(c.me.userId),
    retired: 'false',
    'dueOn[before]': londonDate(c.now).add(FORMS_AHEAD).toString(),
  }
  const { members } = await c.engine.list(formSchedule, c.me, query, PAGE, WITHOUT_COUNT)
  return members
    .filter(({ form }) => form.live && !form.retired)
    .map(({ id, title, place, dueOn, form }) => ({
      key: `form ${id}`,
      title,
      detail: place ?? '',
      to: completeFormPath(form.id),
      due: dueOn,
    }))
}

/** One read of everything asked of the signed-in person: the lists that the portal has for each, under their rights. */
export const myTasksRoute = (kinds: readonly DocumentTypeInfo[]): Route => ({
  method: 'GET',
  path: MY_TASKS_URL,
  title: 'Read all tasks of the signed-in person: documents to sign and to read, forms, checklists, training, leave',
  allow: tasksNav.mine.allow,
  handle: async (c) => {
    const reads = mayUse(c.me, ANY_DOCUMENT_READER_ROLES, DOCUMENT_PACKS)
    const tasks: MyTasks = {
      sign: [...(await readContracts(c)), ...(reads ? await readSignatures(c, kinds) : [])].toSorted((a, b) =>
        (a.due ?? '').localeCompare(b.due ?? ''),
      ),
      read: reads ? await readDocuments(c, kinds) : [],
      checklists: await readOwnChecklistTasks(c),
      forms: mayUse(c.me, DOCUMENT_READER_ROLES) ? await readForms(c) : [],
      training: await readOwnTraining(c),
      leave: await readOwnLeave(c),
      report: mayUse(c.me, INCIDENT_REPORTER_ROLES)
        ? [
            { title: 'Report an accident', to: INCIDENT_PATHS.report },
            { title: 'Report a near miss', to: INCIDENT_PATHS.reportNearMiss },
          ]
        : [],
    }
    return { '@id': MY_TASKS_URL, '@type': 'MyTasks', ...tasks }
  },
})
