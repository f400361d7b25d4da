import { defineEvidence, type EvidenceSpec, type StoredColumnValues } from '#kernel/evidence.ts'
import { choice, date, flag, instant, integer, link, longText, rows, text, typedJson } from '#kernel/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { PIN_CHECKS } from '#kernel/signature.ts'
import { TIME_OF_DAY } from '#kernel/time.ts'
import { raiseActionSpec } from '#modules/actions/corrective-action.ts'
import {
  DOCUMENT_APPROVER_ROLES,
  DOCUMENT_AUTHOR_ROLES,
  DOCUMENT_READER_ROLES,
  documentWithAudience,
} from '#modules/documents/rights.ts'
import { SIGNING_METHODS, signingFields } from '#modules/documents/types/document.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { toTalkPdfBody } from './pdf-body.ts'
import { toolboxTalkInfo } from './talk-info.ts'

/** Form for a ten-minute toolbox talk: title, why the talk matters, and points. */
export const toolboxTalkForm: FormSchema = {
  title: toolboxTalkInfo.name,
  steps: [
    {
      name: 'talk',
      title: 'The talk',
      help: 'Write the talk as you would say it. Seven points are enough for people to remember.',
      groups: [
        {
          fields: [
            { name: 'title', kind: 'text', label: 'Title', required: true, max: 255 },
            { name: 'introduction', kind: 'richText', label: 'Why it matters' },
            {
              name: 'points',
              kind: 'rows',
              label: 'Points to make',
              required: true,
              add: 'Add point',
              max: 30,
              fields: [{ name: 'text', kind: 'longText', label: 'Point', required: true, max: 1000 }],
            },
          ],
        },
      ],
    },
    {
      name: 'files',
      title: 'Pictures and files',
      groups: [{ fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Pictures to show' }] }],
    },
  ],
}

const TIME = { regex: TIME_OF_DAY, message: 'Please enter a time such as 07:30' }

/** Attendee of a talk, who has signed or is absent for a stated reason. */
export const talkAttendee = resource({
  type: 'ToolboxTalkAttendee',
  service: 'safety',
  path: 'toolbox_talk_attendees',
  table: 'talk_attendee',
  tenant: 'own',
  order: ['position'],
  unpaginated: true,
  fields: {
    presented: link((): Resource => presentedTalk, { required: true, filter: true }),
    position: integer({ default: 0 }),
    name: text({ required: 'Please enter the person’s name', filter: 'partial' }),
    method: choice(SIGNING_METHODS),
    ...signingFields,
    /** ID of the employee: that of the account or, without an account, the one who was chosen. */
    employee: integer({ editable: 'nobody', column: 'employee_id', filter: true }),
    /** True if the attendee is not linked to an account. */
    visitor: flag({ editable: 'nobody' }),
    signedAt: instant({ filter: true }),
    /** Time by the clock of the device at which the person signed offline; null if the signature was sent at once. */
    drawnAt: instant({ readonly: true, label: 'Drawn on the device' }),
    absence: text({ max: 500 }),
    /** Company and trade of an attendee without an account, who may work for a subcontractor or an agency. */
    company: text({ default: '', max: 255 }),
    trade: text({ default: '', max: 255 }),
    late: flag({ readonly: true, filter: true, label: 'Signed late' }),
    /** True if the attendee signed by a link, without an account, on a device of their own. */
    byLink: flag({ readonly: true, label: 'Signed by link' }),
    /** Check of the signer's PIN on another person's device; null if the company required none. */
    pinCheck: choice(PIN_CHECKS, { readonly: true, label: 'Signing PIN' }),
  },
  allow: { read: DOCUMENT_READER_ROLES, rows: [{ unless: [], only: only.ofReadable('presented') }] },
  pack: 'safety',
})

/** Roles that present talks and manage their own talk records. They include everyone on site. */
export const PRESENTER_ROLES = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_EMPLOYEE'] as const

const facts = {
  talk: link(() => toolboxTalk.resource, {
    required: 'Please choose a talk',
    filter: true,
    referredAs: (): Resource => presentableTalk,
  }),
  title: text({ readonly: true, search: true, filter: 'partial', order: true }),
  presenter: text({ required: 'Please enter the name of the presenter', search: true, filter: 'partial', order: true }),
  /** ID of the employee who presents; empty for other people. */
  presenterEmployee: integer({ column: 'presenter_employee_id', filter: true }),
  /** True if the presenter has no account. */
  presenterVisitor: flag({ editable: 'nobody' }),
  place: text({ default: '', search: true, filter: 'partial', order: true }),
  date: date({ required: true, filter: true, order: true }),
  startTime: text({ pattern: TIME, max: 5 }),
  finishTime: text({ pattern: TIME, max: 5 }),
  notes: longText({ default: '' }),
  /** True if the record is closed. Everyone listed has then signed or been marked absent, or can sign late. */
  complete: flag({ notWhileImpersonating: true, filter: true }),
  /** True if the record was closed before everyone present had signed. They can sign late. */
  lateSignatures: flag({ notWhileImpersonating: true, label: 'Closed before everyone had signed' }),
  signed: integer({ readonly: true, notNull: true }),
  author: text({ readonly: true, stamp: 'author', filter: true }),
  createdAt: instant({ readonly: true, order: true }),
  retired: flag({ filter: true }),
} as const

/**
 * Record of a presented talk: presenter, time, place and attendees. Once closed, the record accepts only late
 * signatures.
 */
export const presentedTalk = resource({
  type: 'ToolboxTalkPresented',
  service: 'safety',
  path: 'toolbox_talk_presenteds',
  table: 'talk_presented',
  tenant: 'own',
  title: 'place',
  order: ['-id'],
  fields: {
    ...facts,
    attendees: rows(() => talkAttendee, { by: 'presented', label: 'Attendees' }),
    corrections: rows((): Resource => talkCorrection, { by: 'presented', label: 'Corrections', readonly: true }),
  },
  pack: 'safety',
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: PRESENTER_ROLES,
    update: PRESENTER_ROLES,
    // The record contains the talk's title and its attendees, so only the talk's audience and the record's author can
    // read it.
    rows: [
      {
        unless: [],
        only: only.either(
          only.mine('author'),
          only.ofReadable('talk', () => documentWithAudience),
        ),
      },
      // All attendees can sign. Only the record's author and document authors can edit the record, list people and
      // close the record.
      { unless: DOCUMENT_AUTHOR_ROLES, only: only.mine('author'), verbs: ['update'] },
    ],
  },
  actions: { raiseAction: raiseActionSpec },
})

/** Fields covered by the signatures. An empty one, such as the finish time, can be filled in while people sign. */
export const SIGNED_TALK_FIELDS = ['presenter', 'date', 'place', 'startTime', 'finishTime', 'notes'] as const

/** Returns true if the field has a value that a signature covers, so that only a correction can change it. */
export const isSignedTalkField = (
  record: { readonly signed: number } & Partial<Record<(typeof SIGNED_TALK_FIELDS)[number], string | null>>,
  name: string,
): boolean => record.signed > 0 && SIGNED_TALK_FIELDS.some((one) => one === name && record[one])

/** Correction of signed values, with the new values, the previous values and the reason. */
export const talkCorrection = resource({
  type: 'ToolboxTalkCorrection',
  service: 'safety',
  path: 'toolbox_talk_corrections',
  table: 'talk_correction',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  unpaginated: true,
  fields: {
    presented: link((): Resource => presentedTalk, { required: true, filter: true }),
    presenter: text({}),
    place: text({}),
    date: date({}),
    startTime: text({ pattern: TIME, max: 5 }),
    finishTime: text({ pattern: TIME, max: 5 }),
    notes: longText({}),
    formerly: typedJson<Readonly<Record<string, string>>>()({ default: {}, editable: 'nobody' }),
    reason: text({
      required: 'Please enter the reason for the correction',
      max: 500,
      label: 'Reason for the correction',
    }),
    author: text({ readonly: true, stamp: 'author', label: 'Corrected by' }),
    createdAt: instant({ readonly: true }),
  },
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_APPROVER_ROLES,
    rows: [{ unless: [], only: only.ofReadable('presented') }],
  },
  pack: 'safety',
})

/** Correction with details of its record, for notifications. */
export const talkCorrectionWithRecord = resource({
  ...talkCorrection,
  fields: {
    ...talkCorrection.fields,
    presented: link(() => presentedTalk, { required: true, filter: true, embed: ['title', 'date'] }),
  },
})

/** Attendee with details of the talk, for notifications and lists of documents to sign. */
export const attendeeWithTalk = resource({
  ...talkAttendee,
  fields: {
    ...talkAttendee.fields,
    presented: link(() => presentedTalk, {
      required: true,
      filter: true,
      embed: ['talk', 'title', 'date', 'presenter', 'place'],
    }),
  },
})

/**
 * Talk record without its attendees, because there may be hundreds of them. The record is locked while an attendee
 * signs.
 */
export const talkAttendance = resource({ ...presentedTalk, fields: facts })

/** Short talk on one subject, presented on site and signed by the people who attend. */
export const toolboxTalk = defineDocumentKind({
  ...toolboxTalkInfo,
  type: 'ToolboxTalk',
  path: 'toolbox_talks',
  prefix: 'TT',
  title: { field: 'title', label: 'Title', required: 'Field required, please enter text' },
  parent: 'previous',
  schema: toolboxTalkForm,
  reviewMonths: 24,
  pdf: {
    template: 'src/modules/safety/talks/toolbox-talk.typ',
    body: toTalkPdfBody,
    beside: () => ({ presented: { of: presentedTalk, by: 'talk' } }),
  },
  blank: () => ({ points: [{ text: '' }], uploadedDocuments: [] }),
})

/** Condition on a revision: it is in force, or has been. */
const HAS_BEEN_IN_FORCE = only.notAmong('state', ['draft', 'complete', 'rejected'])

/**
 * Talk to which records refer, including revisions that employees can no longer read, because a talk may be recorded
 * after its revision was replaced.
 */
const presentableTalk = resource({
  ...toolboxTalk.resource,
  allow: {
    ...toolboxTalk.resource.allow,
    rows: [
      {
        unless: [],
        only: only.either(only.ofMyCompany('client'), only.both(HAS_BEEN_IN_FORCE, only.forMe('audience'))),
        butWide: true,
      },
      { unless: DOCUMENT_AUTHOR_ROLES, only: HAS_BEEN_IN_FORCE },
      {
        unless: DOCUMENT_APPROVER_ROLES,
        only: only.either(only.mine('author'), only.both(only.notAmong('state', ['draft']), only.forMe('audience'))),
      },
    ],
  },
})

/**
 * Columns of a record that are sealed when the record is closed. Attendees and corrections are sealed as separate rows.
 */
const CONTENT_COLUMNS = [
  'talk_id',
  'title',
  'presenter',
  'presenter_employee_id',
  'presenter_visitor',
  'place',
  'date',
  'start_time',
  'finish_time',
  'notes',
  'complete',
  'signed',
  'author',
  'created_at',
  'retired',
  'late_signatures',
]
const LATE = ['signed', 'complete', 'retired']

/**
 * Evidence specification for presented talks. Closing the record seals its attendance; each late signature is sealed
 * separately.
 */
export const presentedTalkEvidence: EvidenceSpec = defineEvidence({
  of: presentedTalk,
  named: ({ id, title, date }) => `The talk "${String(title)}" presented on ${String(date)} (record ${String(id)})`,
  claims: 't.complete',
  rows: [
    {
      table: 'talk_attendee',
      by: 'presented_id',
      named: attendeeNamed,
      digested: ['strokes'],
      later: { drawn_at: null, by_link: false, pin_check: null, employee_id: null },
    },
    {
      table: 'talk_correction',
      by: 'presented_id',
      named: ({ reason }) => `the correction "${String(reason)}"`,
      later: { finish_time: null, notes: null },
    },
  ],
  events: {
    closed: { columns: CONTENT_COLUMNS, rows: ['talk_attendee', 'talk_correction'] },
    'signed late': { columns: LATE, adds: 'talk_attendee' },
    retired: { columns: LATE },
    restored: { columns: LATE },
    adopted: { columns: CONTENT_COLUMNS, rows: ['talk_attendee', 'talk_correction'] },
  },
  later: { late_signatures: false, presenter_employee_id: null },
  columns: {
    talk_id: 'talk',
    presenter_employee_id: 'employee who presented',
    late_signatures: '“closed before everyone had signed” mark',
    signed: 'number of signatures',
    complete: '“closed” mark',
    retired: '“deleted” mark',
  },
})

function attendeeNamed({ name, signed_at }: StoredColumnValues): string {
  return signed_at ? `the signature of "${String(name)}"` : `the entry of "${String(name)}", who has not signed`
}
