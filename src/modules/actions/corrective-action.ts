import { choice, date, email, flag, instant, integer, link, longText, text, typedJson } from '#kernel/fields.ts'
import { type ActionSpec, type RecordOf, type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'

export const correctiveActionNumberSequence = defineSequence({
  name: 'corrective action',
  prefix: 'CA-',
  per: 'client',
  gapless: true,
  digits: 4,
})

const STATES = [
  { value: 'open', label: 'Not started' },
  { value: 'started', label: 'In progress' },
  { value: 'waiting', label: 'Awaiting parts or contractor' },
  { value: 'rectified', label: 'Rectified' },
  { value: 'verified', label: 'Verified' },
  { value: 'not needed', label: 'No action needed' },
] as const

/** States of an action that is not closed yet. */
export const OPEN_ACTION_STATES = ['open', 'started', 'waiting'] as const
const CLOSED_STATES = ['rectified', 'verified', 'not needed'] as const

const ownRows = [{ unless: DOCUMENT_AUTHOR_ROLES, only: only.mine('owner') }] as const
const reason = longText({ required: 'Please give a reason', max: 2000, label: 'Reason' })

/** Version of the action that was read, for a decision on it. */
export const readVersionInput = integer({
  required: 'Please read the action first',
  label: 'Version',
  help: '`version` of the action that was read. If the action has changed since, nothing is saved (409).',
})
const comparedVersionInput = integer({ ...readVersionInput, required: undefined })

export const proofInput = longText({
  required: 'Please describe what was done',
  max: 4000,
  stripInvisible: true,
  label: 'What was done',
})

/** A corrective action: the problem, who fixes it by when, and proof that it was fixed. */
export const correctiveAction = resource({
  type: 'CorrectiveAction',
  service: 'safety',
  path: 'corrective_actions',
  table: 'corrective_action',
  tenant: 'own',
  title: 'number',
  order: ['deadline', 'id'],
  state: 'state',
  bulk: ['deadline', 'retire'],
  emails: 'id',
  fields: {
    number: text({ readonly: true, default: '', notNull: true, filter: true, search: true, order: true }),
    description: longText({ required: 'Please describe the action', max: 4000, search: true, label: 'Action' }),
    /** ID of the employee who is responsible; empty for other people. */
    employee: integer({ column: 'employee_id', filter: true }),
    /** User ID of the owner; empty for an owner without an account. */
    owner: integer({ column: 'owner_id', filter: true, label: 'Person with an account' }),
    managerName: text({
      required: 'Please choose who is responsible, or enter their name',
      max: 200,
      search: true,
      filter: 'partial',
      order: true,
      label: 'Manager responsible',
    }),
    email: email({
      default: '',
      max: 255,
      label: 'E-mail',
      help: 'If the person has no account, the action and its reminders are sent to this e-mail address.',
    }),
    deadline: date({ filter: true, order: true }),
    notes: longText({ default: '', max: 4000 }),
    adminNotes: longText({ default: '', max: 4000, label: 'Suggestions' }),
    state: choice(STATES, {
      readonly: true,
      default: 'open',
      notNull: true,
      filter: true,
      order: true,
      label: 'Status',
    }),
    open: flag({ readonly: true, filter: true, sql: "t.state IN ('open', 'started', 'waiting')" }),
    /** True if the owner's account is retired. */
    ownerLeft: flag({
      readonly: true,
      filter: true,
      sql: 'EXISTS (SELECT FROM user_account u WHERE u.client_id = t.client_id AND u.id = t.owner_id AND u.is_retired)',
      label: 'Owner has left',
    }),
    proof: text({ readonly: true, default: '', notNull: true }),
    completedBy: text({ readonly: true, person: true }),
    /** Name of an owner without an account who reported the action as done by link. */
    completedByLink: text({ readonly: true, default: '', notNull: true }),
    completedAt: instant({ readonly: true }),
    verifiedBy: text({ readonly: true, person: true }),
    verifiedAt: instant({ readonly: true }),
    /**
     * IRI and title of the record from which the action was raised, as they were at that time. Set by that record's
     * module.
     */
    source: text({ readonly: true, default: '', notNull: true, filter: true }),
    sourceTitle: text({ readonly: true, default: '', notNull: true, filter: true, search: true, label: 'Raised from' }),
    /** Part of the source that the action concerns, such as one defect of an inspection; empty if it concerns all. */
    sourcePart: longText({ readonly: true, default: '', notNull: true }),
    author: text({ readonly: true, stamp: 'author', filter: true, label: 'Raised by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
    /** ID of the last change or step in the history. Opening the link and adding files are neither. */
    version: integer({
      readonly: true,
      sql: "(SELECT max(e.id)::int FROM corrective_action_event e WHERE e.client_id = t.client_id AND e.action_id = t.id AND e.event NOT IN ('Link opened', 'File added by link'))",
    }),
    retired: flag({ notWhileImpersonating: true, filter: true }),
  },
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    update: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: ['create', 'update'],
    rows: ownRows,
  },
  pack: 'safety',
  actions: {
    start: {
      path: 'start',
      title: 'Start',
      whileImpersonating: true,
      allow: DOCUMENT_READER_ROLES,
      from: ['open', 'waiting'],
      to: 'started',
      input: {},
    },
    wait: {
      path: 'wait',
      title: 'Await parts or contractor',
      whileImpersonating: true,
      allow: DOCUMENT_READER_ROLES,
      from: ['open', 'started'],
      to: 'waiting',
      input: { reason },
    },
    complete: {
      path: 'complete',
      title: 'Complete',
      allow: DOCUMENT_READER_ROLES,
      from: OPEN_ACTION_STATES,
      to: 'rectified',
      input: { proof: proofInput, version: comparedVersionInput },
    },
    dismiss: {
      path: 'dismiss',
      title: 'No action needed',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: OPEN_ACTION_STATES,
      to: 'not needed',
      input: { reason, version: comparedVersionInput },
    },
    verify: {
      path: 'verify',
      title: 'Verify',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: ['rectified'],
      to: 'verified',
      input: {
        version: readVersionInput,
        reason: longText({
          max: 2000,
          label: 'Reason',
          help: 'Required only if you completed the action yourself and nobody else in your company can verify it.',
        }),
      },
    },
    openLink: {
      path: 'open-link',
      title: 'Log that the owner’s link was opened',
      allow: 'nobody',
      from: OPEN_ACTION_STATES,
      input: {},
    },
    addProof: {
      path: 'add-proof',
      title: 'Add a file sent by link',
      allow: 'nobody',
      from: OPEN_ACTION_STATES,
      input: { file: typedJson<Readonly<Record<string, unknown>>>()({ required: true }) },
    },
    reportDone: {
      path: 'report-done',
      title: 'Report as done by link',
      allow: 'nobody',
      from: OPEN_ACTION_STATES,
      to: 'rectified',
      input: { proof: proofInput },
    },
    reopen: {
      path: 'reopen',
      title: 'Reopen',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: CLOSED_STATES,
      to: 'open',
      input: { reason },
    },
  },
})

export type CorrectiveAction = RecordOf<typeof correctiveAction>

const { description, employee, owner, email: ownerEmail, deadline, notes, adminNotes } = correctiveAction.fields
/** The name of an owner with an account is that of the account. */
const ownerName = text({ default: '', max: 200, label: 'Manager responsible' })

/** Action, declared by a source, that raises a corrective action with the record as its source. */
export const raiseActionSpec = {
  path: 'raise-action',
  title: 'Raise a corrective action',
  whileImpersonating: true,
  allow: DOCUMENT_AUTHOR_ROLES,
  input: { description, employee, owner, managerName: ownerName, email: ownerEmail, deadline, notes, adminNotes },
} as const satisfies ActionSpec

const ofAction = { unless: [], only: only.ofReadable('action') } as const

export const correctiveActionEvent = resource({
  type: 'CorrectiveActionEvent',
  service: 'safety',
  path: 'corrective_action_events',
  table: 'corrective_action_event',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  fields: {
    action: link((): Resource => correctiveAction, { readonly: true, notNull: true, filter: true }),
    /** Event as displayed, for example "Completed". */
    event: text({ readonly: true, notNull: true }),
    notes: longText({ readonly: true, default: '', notNull: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_READER_ROLES, rows: [ofAction] },
  pack: 'safety',
})

/**
 * Proof that an action was completed: a photo or document, added by `POST /api/safety/corrective_actions/{id}/files`.
 */
export const correctiveActionFile = resource({
  type: 'CorrectiveActionFile',
  service: 'safety',
  path: 'corrective_action_files',
  table: 'corrective_action_file',
  appendOnly: true,
  tenant: 'own',
  title: 'name',
  order: ['id'],
  fields: {
    ...storedFileFields,
    action: link((): Resource => correctiveAction, { readonly: true, notNull: true, filter: true }),
    name: text({ readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_READER_ROLES, rows: [ofAction] },
  pack: 'safety',
})

/** Secret link in an e-mail to an owner without an account. Only the hash of its secret is stored. */
export const correctiveActionLink = resource({
  type: 'CorrectiveActionLink',
  service: 'safety',
  path: 'corrective_action_links',
  table: 'corrective_action_link',
  appendOnly: true,
  tenant: 'own',
  fields: {
    action: link((): Resource => correctiveAction, { readonly: true, notNull: true }),
    /** Name and address to which the link was sent. If the action gets another owner, the link no longer works. */
    name: text({ readonly: true, default: '', notNull: true }),
    email: text({ readonly: true, notNull: true }),
    hash: text({ readonly: true, notNull: true, visible: 'nobody' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: 'nobody' },
  pack: 'safety',
})

/** A corrective action as shown to its owner by link. */
export interface LinkedAction {
  readonly '@id': string
  readonly '@type': 'LinkedAction'
  readonly company: string
  readonly logo: string | null
  /** Reason why nothing can be reported; empty while the action is open. */
  readonly sentence: string
  readonly action?: Pick<
    CorrectiveAction,
    'number' | 'managerName' | 'description' | 'deadline' | 'notes' | 'adminNotes' | 'version'
  > & { readonly isLate: boolean; readonly files: readonly string[] }
}

export const isOpenActionState = (state: string): boolean => OPEN_ACTION_STATES.some((open) => open === state)

/** Returns true from the day after the deadline until the action is closed or retired. */
export const isCorrectiveActionOverdue = (
  { state, deadline, retired }: Pick<CorrectiveAction, 'state' | 'deadline' | 'retired'>,
  today: string,
): boolean => !retired && isOpenActionState(state) && deadline !== null && deadline < today
