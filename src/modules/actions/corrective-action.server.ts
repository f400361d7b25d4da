import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { labelOf } from '#kernel/fields.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { composeEmail, defineEmail, formalEmailGreeting, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { isSameMailbox } from '#kernel/validate.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { type AfterSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { actionLinkRoutes, correctiveActionSecretLink } from './action-link.server.ts'
import {
  correctiveAction,
  correctiveActionEvent,
  correctiveActionFile,
  correctiveActionLink,
  correctiveActionNumberSequence,
  isOpenActionState,
  OPEN_ACTION_STATES,
} from './corrective-action.ts'
import { leavingOwners, requestNewOwner } from './leaving-owner.server.ts'
import { actionsNav, correctiveActionPath } from './nav.ts'
import { ownerOf } from './owner.server.ts'

const MAX_TITLE_CHARACTERS = 120
/** Maximum number of files of an action that are accepted by link. */
const MAX_FILES = 20

/**
 * Notification type: a corrective action needs its owner's attention. A reminder marks the notification as unread
 * again.
 */
const actionDueNotice = declareNotificationType({
  kind: 'action.due',
  label: 'Corrective actions that I have to complete',
  for: actionsNav.register.allow,
  icon: actionsNav.register.icon,
  of: correctiveAction,
  words: ({ number, deadline, description }) =>
    `Corrective action ${number}${deadline ? `, due ${formatIsoDateAsUk(deadline)}` : ''}: ${description.slice(0, MAX_TITLE_CHARACTERS)}`,
  path: ({ id }) => correctiveActionPath(id),
  waits: 'Documents',
  todo: 'to complete',
  mail: true,
})

interface CorrectiveActionFacts {
  readonly action: Pick<RowOf<typeof correctiveAction>, 'number' | 'managerName' | 'description' | 'deadline'>
  readonly why: 'assigned' | 'reopened' | 'reminded'
  readonly isLate: boolean
  readonly company: string
  /** Name of the user who assigned the action, if known. */
  readonly author?: string | undefined
}

const correctiveActionEmail = defineEmail<CorrectiveActionFacts>({
  name: 'corrective-action',
  title: 'Corrective action assigned to a person without an account',
  confidential: true,
  subject: ({ action, why, company }) =>
    `${why === 'reminded' ? 'Reminder: corrective' : 'Corrective'} action ${action.number} for ${preventAutolinking(company)}`,
  paragraphs: ({ action: { number, managerName, description, deadline }, why, isLate, company, author }) => {
    const say = preventAutolinking
    const first = {
      assigned: `${say(company)} has assigned corrective action ${number} to you:`,
      reopened: `${say(company)} has reopened corrective action ${number}, which is assigned to you:`,
      reminded: `Corrective action ${number} for ${say(company)} ${isLate ? 'is overdue' : 'is due soon'}:`,
    }
    return [
      formalEmailGreeting(managerName),
      first[why],
      `“${say(description)}”`,
      deadline && `Deadline: ${formatIsoDateAsUk(deadline)}`,
      `To read the action, add photos and report it as done, open this link (no sign-in needed):\n${SECRET_LINK_PLACEHOLDER}`,
      `This link is for you only. If you have any questions, please contact ${say(author ?? company)}.`,
    ]
  },
  sample: {
    action: {
      number: 'CA-00012',
      managerName: 'Ann Carter',
      description: 'Replace the damaged guard rail on level 2',
      deadline: '2026-03-20',
    },
    why: 'assigned',
    isLate: false,
    company: 'Acme Ltd',
    author: 'Sam Taylor',
  },
})

/**
 * Notifies the owner in the portal or, if they have no account, by e-mail. If the owner's account is retired, the
 * company's approvers choose another owner. Does nothing if they have neither an account
 * nor an e-mail address. The e-mail counts towards the company's daily e-mail limit.
 */
async function notifyOwner(
  c: Context,
  row: RowOf<typeof correctiveAction>,
  why: CorrectiveActionFacts['why'],
): Promise<void> {
  if (row.owner !== null) {
    if ((await c.get(user, row.owner))?.isRetired) return requestNewOwner(c, [row])
    return notifyUsers(c, actionDueNotice, [
      { to: row.owner, about: row.id, read: row.owner === c.actor.userId && !c.actor.original },
    ])
  }
  if (!row.email) return
  // The holder of the link acts in the owner's name.
  if (c.actor.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  await consumeRecipientAllowance(c, 1)
  const [ours, [asks]] = [await c.get(client, c.clientId), await c.find(user, { username: row.author ?? '' })]
  await c.emit(emailRequested, {
    to: row.email,
    ...composeEmail(correctiveActionEmail, {
      action: row,
      why,
      isLate: row.deadline !== null && row.deadline < londonDate(c.now).toString(),
      company: ours?.company ?? '',
      author: asks?.name,
    }),
    link: { kind: correctiveActionSecretLink.kind, about: { action: row.id } },
    about: iriOf(correctiveAction, row.id),
  })
}

/** Notification type: an owner without an account has reported an action as done, so that it can be verified. */
const actionReportedNotice = declareNotificationType({
  kind: 'action.reported',
  label: 'Corrective actions that I raised and that were reported as done by link',
  for: DOCUMENT_AUTHOR_ROLES,
  icon: actionsNav.register.icon,
  of: correctiveAction,
  words: ({ number, managerName, description }) =>
    `${managerName} reported corrective action ${number} as done: ${description.slice(0, MAX_TITLE_CHARACTERS)}`,
  path: ({ id }) => correctiveActionPath(id),
  mail: true,
})

async function notifyAuthor(c: Context, { id, author }: Row): Promise<void> {
  const [person] = await c.find(user, { username: author ?? '', isRetired: false })
  if (person) await notifyUsers(c, actionReportedNotice, [{ to: person.id, about: id, since: c.now.toString() }])
}

const WEEK = 7
const WEEKS_LATE = 52
const daysBefore = [WEEK, 1, 0, ...Array.from({ length: WEEKS_LATE }, (_, week) => -WEEK * (week + 1))]

/** Reminds owners a week and a day before the deadline, on the day itself, and weekly while the action is overdue. */
const actionDueReminder = reminderSchedule({
  name: 'action.due',
  of: correctiveAction,
  on: 'deadline',
  daily: '07:00',
  daysBefore,
  where: { state: [...OPEN_ACTION_STATES], retired: false },
  send: async (c, row) => {
    await c.attempt(() => notifyOwner(c, row, 'reminded'))
  },
})

type Row = RowOf<typeof correctiveAction>
type Values = ValuesOf<typeof correctiveAction>
type Acting = Context & { readonly row: Row }

const logEvent = (c: Context, action: number, event: string, notes = '') =>
  c
    .withoutPermissionCheck('record the history of a corrective action')
    .create(correctiveActionEvent, { action, event, notes, createdAt: c.now.toString() })

/** Throws 409 if the action is retired; otherwise adds the event to its history. */
async function proceed(c: Acting, event: string, notes = ''): Promise<void> {
  if (c.row.retired) throw problem.conflict('This action is retired. Restore it first.')
  await logEvent(c, c.row.id, event, notes)
}

/** Throws 409 if the action has changed since the version that was read. */
function refuseStaleDecision({
  row,
  input: { version },
}: {
  readonly row: Pick<Row, 'version'>
  readonly input: { readonly version?: number | null }
}): void {
  if (typeof version === 'number' && version !== row.version)
    throw problem.conflict('This action has changed since you opened it. Please read it again, then decide.')
}

const correctiveActionBehaviour = behaviour(correctiveAction, {
  beforeSave: async (c) => {
    const { before, changes } = c
    if (before && !isOpenActionState(before.state) && Object.keys(changes).some((name) => name !== 'retired'))
      throw problem.conflict('This action is closed. Reopen it to change it.')
    return {
      ...(await ownerOf(c)),
      ...(before
        ? {}
        : { number: (await issueSequenceNumber(c, correctiveActionNumberSequence)).text, createdAt: c.now.toString() }),
    }
  },
  afterSave: async (c) => {
    const row = await c.written.saved()
    for (const [event, notes] of eventsOf(c, row)) await logEvent(c, row.id, event, notes)
    if (isAssigned(c.before, row)) await notifyOwner(c, row, 'assigned')
  },
  actions: {
    start: async (c) => {
      await proceed(c, 'Started')
      return {}
    },
    wait: async (c) => {
      await proceed(c, 'Awaiting parts or contractor', c.input.reason)
      return {}
    },
    complete: async (c) => {
      const { proof } = c.input
      refuseStaleDecision(c)
      await proceed(c, 'Rectified', proof)
      return { set: { proof, completedBy: authorOf(c.actor).username, completedAt: c.now.toString() } }
    },
    dismiss: async (c) => {
      refuseStaleDecision(c)
      await proceed(c, 'No action needed', c.input.reason)
      return {}
    },
    verify: async (c) => {
      refuseStaleDecision(c)
      await refuseOwnVerification(c, c.input.reason)
      await proceed(c, 'Verified', c.input.reason ?? '')
      return { set: { verifiedBy: authorOf(c.actor).username, verifiedAt: c.now.toString() } }
    },
    reopen: async (c) => {
      await proceed(c, 'Reopened', c.input.reason)
      await notifyOwner(c, c.row, 'reopened')
      const nobody = { completedBy: null, completedByLink: '', completedAt: null, verifiedBy: null, verifiedAt: null }
      return { set: { proof: '', ...nobody } }
    },
    openLink: async (c) => {
      await proceed(c, 'Link opened', c.row.managerName)
      return {}
    },
    addProof: async (c) => {
      const { file } = c.input as { readonly file: Values & { readonly name: string; readonly checksum: string } }
      const earlier = await c.find(correctiveActionFile, { action: c.row.id })
      if (earlier.some(({ checksum }) => checksum === file.checksum)) return {}
      if (earlier.length >= MAX_FILES)
        throw problem.conflict(`An action has at most ${MAX_FILES} files. Please report the action as done.`)
      await proceed(c, 'File added by link', `${c.row.managerName}: ${file.name}`)
      await c
        .withoutPermissionCheck('add a file sent by link')
        .create(correctiveActionFile, { ...file, action: c.row.id, createdAt: c.now.toString() })
      return {}
    },
    reportDone: async (c) => {
      const { proof } = c.input
      await proceed(c, 'Reported as done by link', `${c.row.managerName}: ${proof}`)
      await notifyAuthor(c, c.row)
      return { set: { proof, completedByLink: c.row.managerName, completedAt: c.now.toString() } }
    },
  },
})

/**
 * Returns true if an open action is new, has been restored or has a new owner. For an owner without an account, a new
 * name or e-mail address is treated as a new owner.
 */
const isAssigned = (before: Row | undefined, now: Row): boolean =>
  !now.retired &&
  isOpenActionState(now.state) &&
  (!before ||
    before.retired ||
    before.owner !== now.owner ||
    (now.owner === null && (before.email !== now.email || before.managerName !== now.managerName)))

/** Fields whose new values are quoted in the history. For other fields, the history says only that they changed. */
const QUOTED = ['managerName', 'email', 'deadline'] as const
const UNLISTED = new Set(['owner', 'retired', 'createdAt', 'number', ...QUOTED])

function eventsOf(
  { before, changes }: AfterSaveInput<typeof correctiveAction>,
  row: Row,
): (readonly [string, string])[] {
  if (!before) return [['Raised', row.managerName]]
  const word = (value: string | null) =>
    /^\d{4}-\d\d-\d\d$/.test(value ?? '') ? formatIsoDateAsUk(value ?? '') : value || 'none'
  const label = (name: string) => labelOf(name, correctiveAction.fields[name as keyof typeof correctiveAction.fields])
  const quoted = QUOTED.filter((name) => before[name] !== row[name]).map(
    (name) => `${label(name)}: ${word(before[name])} → ${word(row[name])}`,
  )
  const others = Object.keys(changes).filter((name) => !UNLISTED.has(name))
  const lines = [...quoted, ...others.map(label)]
  return [
    ...(lines.length ? [['Changed', lines.join('\n')] as const] : []),
    ...(before.retired === row.retired ? [] : [[row.retired ? 'Retired' : 'Restored', ''] as const]),
  ]
}

/**
 * Returns true if the actor, or the person behind an impersonation, completed the action: under their own account, or
 * with the link sent to their own e-mail address.
 */
async function isCompletedBy(c: Context, { completedBy, completedByLink, email }: Row): Promise<boolean> {
  const names = [c.actor.username, authorOf(c.actor).username]
  if (!completedByLink) return names.includes(completedBy ?? '')
  const people = await c.find(user, { username: names })
  return people.some((person) => isSameMailbox(person.email, email))
}

/**
 * Throws 403 if the person who completed the action verifies it while another person in the company could. If the
 * company has no other such person, throws 422 unless a reason is given.
 */
async function refuseOwnVerification(c: Acting, reason?: string | null): Promise<void> {
  // During impersonation, both the provider's user and the impersonated user are treated as the person who verifies the
  // action.
  if (!(await isCompletedBy(c, c.row))) return
  const managers = (await c.find(user, { isRetired: false })).filter(
    ({ username, roles }) =>
      username !== (c.row.completedBy ?? c.actor.username) &&
      DOCUMENT_AUTHOR_ROLES.some((role) => roles.includes(role)),
  )
  if (managers.length) throw problem.forbidden('You completed this action yourself. Another person has to verify it.')
  if (!reason?.trim())
    throw problem.invalid([
      violation('reason', 'You completed this action yourself. To verify it, please give a reason'),
    ])
}

/** Throws 409 if an action does not accept files: it is retired, verified or no longer needed. */
function refuseFilesIfClosed({ state, retired }: Pick<Row, 'state' | 'retired'>): void {
  if (retired) throw problem.conflict('This action is retired. Restore it first.')
  if (!isOpenActionState(state) && state !== 'rectified')
    throw problem.conflict('This action is closed. Reopen it to add files.')
}

const correctiveActionFileBehaviour = behaviour(correctiveActionFile, {
  // The action may have been verified since the upload began.
  beforeSave: async (c) => {
    if (c.changes.action) refuseFilesIfClosed(await c.lock(correctiveAction, c.changes.action))
    return undefined
  },
})

const fileRoutes = [
  createUploadRoute({
    path: `${correctiveAction.url}/{id}/files`,
    title: 'Upload proof for a corrective action, as multipart/form-data with `file`',
    allow: DOCUMENT_READER_ROLES,
    into: correctiveActionFile,
    place: async ({ engine, me, params }) => {
      const id = await engine.idOf(correctiveAction, me, params.id)
      refuseFilesIfClosed(await engine.one(correctiveAction, me, id))
      return { action: id, createdAt: engine.clock.now().toString() }
    },
  }),
  ...createFileRoutes(correctiveActionFile, DOCUMENT_READER_ROLES),
]

export const correctiveActions = feature({
  pack: 'safety',
  resources: [correctiveAction, correctiveActionEvent, correctiveActionFile, correctiveActionLink],
  behaviours: [correctiveActionBehaviour, correctiveActionFileBehaviour],
  routes: [...fileRoutes, ...actionLinkRoutes],
  links: [correctiveActionSecretLink],
  schedules: [actionDueReminder],
  guards: leavingOwners.guards,
  handlers: leavingOwners.handlers,
  notifications: [actionDueNotice, actionReportedNotice, ...leavingOwners.notifications],
  emails: [correctiveActionEmail],
  seeds: () => import('./demo.server.ts'),
})
