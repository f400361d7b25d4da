import { choice, date, email, instant, integer, link, longText, text, typedJson } from '#kernel/fields.ts'
import { type RecordOf, type Resource, resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'

const STATES = [
  { value: 'requested', label: 'Requested' },
  { value: 'opened', label: 'Opened' },
  { value: 'received', label: 'Received' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'returned', label: 'Returned' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

/** States in which the subcontractor still has to send RAMS. */
export const AWAITING_RAMS_STATES = ['requested', 'opened', 'returned'] as const
/** States in which the subcontractor may send a version of the RAMS. */
export const OPEN_RAMS_REQUEST_STATES = [...AWAITING_RAMS_STATES, 'received'] as const

/** Version that the person read, and the number of its files. The decision does not cover files received later. */
const versionRead = {
  version: integer({ required: 'Please read the RAMS received first', min: 1, label: 'Version' }),
  files: integer({ required: 'Please read the RAMS received first', min: 1, label: 'Files of the version' }),
} as const

const inside = { readonly: true, visible: 'nobody' } as const

/** Request, sent by e-mail, for a subcontractor's risk assessments and method statement (RAMS) for a job. */
export const ramsRequest = resource({
  type: 'RamsRequest',
  service: 'safety',
  path: 'rams_requests',
  table: 'rams_request',
  tenant: 'own',
  title: 'company',
  order: ['due', 'id'],
  state: 'state',
  emails: 'id',
  fields: {
    company: text({
      required: 'Please enter the subcontractor',
      max: 200,
      search: true,
      filter: 'partial',
      order: true,
      label: 'Subcontractor',
    }),
    person: text({ required: 'Please enter the contact’s name', max: 200, search: true, label: 'Contact' }),
    email: email({ required: 'Please enter the contact’s e-mail address', max: 255, label: 'E-mail' }),
    job: text({
      required: 'Please enter the job',
      max: 300,
      search: true,
      filter: 'partial',
      order: true,
      label: 'Job',
    }),
    site: text({ default: '', max: 300, search: true, filter: 'partial', order: true, label: 'Site' }),
    due: date({ required: 'Please enter a due date', filter: true, order: true, label: 'Due date' }),
    notes: longText({ default: '', max: 2000, label: 'Requirements' }),
    state: choice(STATES, { readonly: true, default: 'requested', notNull: true, filter: true }),
    /** Reason why the RAMS were last returned to the subcontractor. */
    reason: text({ readonly: true, default: '', notNull: true }),
    /** Last day on which the request's links are valid. */
    opensUntil: date({ readonly: true, notNull: true, label: 'Link valid until' }),
    opened: integer({ readonly: true, notNull: true, default: 0 }),
    openedAt: instant({ readonly: true }),
    received: integer({ readonly: true, notNull: true, default: 0 }),
    receivedAt: instant({ readonly: true, order: true }),
    decidedBy: text({ readonly: true, person: true }),
    decidedAt: instant({ readonly: true }),
    userId: integer(inside),
    author: text({ readonly: true, stamp: 'author', filter: true, label: 'Requested by' }),
    createdAt: instant({ readonly: true, order: true }),
  },
  allow: { read: DOCUMENT_AUTHOR_ROLES, create: DOCUMENT_AUTHOR_ROLES },
  pack: 'safety',
  actions: {
    accept: {
      path: 'accept',
      title: 'Accept the RAMS received',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: ['received'],
      to: 'accepted',
      input: versionRead,
    },
    sendBack: {
      path: 'send-back',
      title: 'Return the RAMS received',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: ['received'],
      to: 'returned',
      input: {
        ...versionRead,
        reason: text({ required: 'Please enter what needs correcting', max: 1000, label: 'What needs correcting?' }),
      },
    },
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw request',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: [...OPEN_RAMS_REQUEST_STATES],
      to: 'withdrawn',
      input: {},
    },
    open: {
      path: 'open',
      title: 'Log that the link was opened',
      allow: 'nobody',
      from: [...OPEN_RAMS_REQUEST_STATES],
      input: {},
    },
    receive: {
      path: 'receive',
      title: 'Log a file received through the link',
      allow: 'nobody',
      from: [...OPEN_RAMS_REQUEST_STATES],
      to: 'received',
      input: { file: typedJson<Readonly<Record<string, unknown>>>()({ required: true }) },
    },
  },
})

export type RamsRequest = RecordOf<typeof ramsRequest>

/** Secret link in an e-mail. Only the hash of the link's secret is stored. */
export const ramsRequestLink = resource({
  type: 'RamsRequestLink',
  service: 'safety',
  path: 'rams_request_links',
  table: 'rams_request_link',
  appendOnly: true,
  tenant: 'own',
  fields: {
    request: link((): Resource => ramsRequest, { readonly: true, notNull: true }),
    hash: text({ ...inside, notNull: true }),
    createdAt: instant({ readonly: true }),
  },
  allow: { read: 'nobody' },
  pack: 'safety',
})

/** File of a version of a subcontractor's RAMS as received. Received files never change. */
export const ramsReceived = resource({
  type: 'RamsReceived',
  service: 'safety',
  path: 'rams_received',
  table: 'rams_received',
  appendOnly: true,
  tenant: 'own',
  title: 'name',
  order: ['-version', 'id'],
  fields: {
    ...storedFileFields,
    request: link((): Resource => ramsRequest, { readonly: true, notNull: true, filter: true }),
    version: integer({ readonly: true, notNull: true, order: true }),
    /** Position among the files of a version, starting at 1. */
    part: integer({ readonly: true, notNull: true, default: 1 }),
    name: text({ readonly: true, notNull: true }),
    sender: text({ readonly: true, notNull: true, label: 'Sent by' }),
    /** Company whose user signed in and sent the company's own pack; empty if the RAMS were sent without an account. */
    company: text({ readonly: true, notNull: true, default: '', label: 'Company' }),
    notes: text({ readonly: true, notNull: true, default: '' }),
  },
  allow: { read: DOCUMENT_AUTHOR_ROLES },
  pack: 'safety',
})

/** Message for files sent by link without the name of a sender. The sender may not be the person who was invited. */
export const SENDER_REQUIRED = 'Please enter your name'
/** Maximum size of a file uploaded without signing in, in bytes. */
export const MAX_RAMS_FILE_BYTES = 10 * 1024 * 1024
/** Maximum number of files in a version. */
export const MAX_RAMS_FILES = 10

/** Values of a received file. `joins` is the version to which the file is added; without it, a new version begins. */
export type ReceivedRamsFile = Readonly<Record<string, unknown>> & {
  readonly checksum: string
  readonly joins?: number
}

export interface RequestedRams {
  readonly '@id': string
  readonly '@type': 'AskedRams'
  readonly company: string
  readonly logo: string | null
  /** Reason why RAMS can't be sent; empty while the request is open. */
  readonly sentence: string
  /** Details of the request; undefined if the link is closed. */
  readonly asked?: {
    readonly company: string
    readonly person: string
    readonly job: string
    readonly site: string
    readonly due: string
    readonly notes: string
    readonly state: RamsRequest['state']
    readonly reason: string
    readonly until: string
    readonly sent: readonly {
      readonly version: number
      readonly part: number
      readonly name: string
      readonly at: string | null
    }[]
  }
}
