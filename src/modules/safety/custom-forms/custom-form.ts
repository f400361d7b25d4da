import { defineEvidence } from '#kernel/evidence.ts'
import { choice, flag, instant, integer, json, link, longText, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { type AccessRule, only } from '#kernel/row-rules.ts'
import { raiseActionSpec } from '#modules/actions/corrective-action.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { templateKey } from '../statements/statement.ts'

/**
 * Read access. Form authors see all their company's forms and the provider's published ones. Other users see only their
 * company's published forms that they can complete.
 */
const SEEN: readonly AccessRule[] = [
  { unless: [], only: only.either(only.ofMyCompany('client'), only.on('live')) },
  {
    unless: DOCUMENT_AUTHOR_ROLES,
    only: only.both(only.ofMyCompany('client'), only.on('live'), only.forMe('audience')),
  },
]

/** A company's form with its draft questions. Each completed form belongs to a published version of the form. */
export const customForm = resource({
  type: 'CustomForm',
  service: 'safety',
  path: 'custom_forms',
  table: 'custom_form',
  tenant: 'own or template',
  title: 'title',
  order: ['title'],
  bulk: ['retire'],
  pack: 'safety',
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    update: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: ['create', 'update'],
    rows: SEEN,
  },
  fields: {
    title: text({ required: 'Please enter a name', max: 120, filter: 'partial', order: true, search: true }),
    notes: longText({ default: '', max: 2000, label: 'Purpose', search: true }),
    schema: json({
      omitFromLists: true,
      visible: DOCUMENT_AUTHOR_ROLES,
      label: 'Questions',
      help: 'Steps, groups and fields, structured like a document’s form.',
    }),
    audience: strings({
      default: [],
      label: 'Who can complete the form',
      help: 'Roles that can complete the form. If empty, everybody can.',
    }),
    current: link((): Resource => customFormVersion, { editable: 'nobody' }),
    version: integer({ default: 0, editable: 'nobody', order: true }),
    live: flag({ editable: 'nobody', filter: true, label: 'Published' }),
    unpublished: flag({ editable: 'nobody', label: 'Has unpublished changes' }),
    copiedFrom: text({ default: '', editable: 'nobody' }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    templateKey,
    author: text({ readonly: true, stamp: 'author' }),
    updatedAt: instant({ readonly: true, stamp: 'updated', order: true }),
    retired: flag({ filter: true }),
  },
  actions: {
    publish: {
      path: 'publish',
      title: 'Publish the form’s draft as its next version',
      allow: DOCUMENT_AUTHOR_ROLES,
      input: {},
    },
  },
})

/** Published version of a form. A version never changes, because changes are published as a new version. */
export const customFormVersion = resource({
  type: 'CustomFormVersion',
  service: 'safety',
  path: 'custom_form_versions',
  table: 'custom_form_version',
  appendOnly: true,
  tenant: 'own or template',
  title: 'title',
  order: ['-id'],
  pack: 'safety',
  allow: { read: DOCUMENT_READER_ROLES, rows: [{ unless: [], only: only.ofReadable('form') }] },
  fields: {
    form: link(() => customForm, { readonly: true, notNull: true, filter: true }),
    number: integer({ readonly: true, notNull: true, order: true }),
    title: text({ readonly: true, notNull: true }),
    schema: json({ readonly: true, omitFromLists: true }),
    /** SHA-256 hash of the form, as hexadecimal. */
    digest: text({ readonly: true, notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
})

export const FORM_RESULT_OPTIONS = [
  { value: 'passed', label: 'Passed' },
  { value: 'failed', label: 'Failed' },
] as const

/**
 * Completed form. A completed form is sent in one request, sealed immediately and never changed. Only its author and
 * form authors can see it. An answer by link has no account as its author, but the name that was given.
 */
export const customFormAnswer = resource({
  type: 'CustomFormAnswer',
  service: 'safety',
  path: 'custom_form_answers',
  table: 'custom_form_answer',
  appendOnly: true,
  tenant: 'own',
  title: 'number',
  order: ['-id'],
  pack: 'safety',
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_READER_ROLES,
    rows: [{ unless: DOCUMENT_AUTHOR_ROLES, only: only.mine('author'), verbs: ['read'] }],
  },
  fields: {
    number: text({ readonly: true, notNull: true, search: true, order: true }),
    form: link(() => customForm, { required: 'Please choose the form', filter: true }),
    version: link(() => customFormVersion, { required: 'Please choose the form version' }),
    title: text({ readonly: true, notNull: true, label: 'Form', search: true, order: true }),
    answers: json({ required: 'Please fill in the form', omitFromLists: true, max: 20_000 }),
    together: json({
      default: [],
      omitFromLists: true,
      max: 20_000,
      label: 'Answers entered together',
      help: 'A list of `{ at, questions }`: when one press answered these questions with the options that stand for fine. `at` becomes null if it is before the publication of the form, because the device’s clock was then wrong.',
    }),
    /** SHA-256 hash of the answers and their form version, as hexadecimal. */
    digest: text({ readonly: true, notNull: true, omitFromLists: true }),
    points: integer({ readonly: true }),
    outOf: integer({ readonly: true }),
    percent: integer({ readonly: true, order: true, filter: true, label: 'Score (%)' }),
    subject: text({
      readonly: true,
      search: true,
      filter: true,
      label: 'Checked',
      help: 'The answer that names what was checked, such as the site or the vehicle.',
    }),
    defects: integer({ readonly: true, order: true, help: 'Number of answers that are defects.' }),
    result: choice(FORM_RESULT_OPTIONS, { readonly: true, filter: true, count: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author', filter: true, label: 'Completed by' }),
    byLink: flag({ readonly: true, filter: true, help: 'True if somebody answered by link, without an account.' }),
    name: text({ readonly: true, notNull: true, default: '', help: 'Name given by the person who answered by link.' }),
    company: text({ readonly: true, notNull: true, default: '', help: 'Company of the person who answered by link.' }),
    /** Key of the request by link, by which a repeated request is recognised. */
    sentKey: text({ readonly: true, visible: 'nobody', notNull: true, default: '' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true, label: 'Completed' }),
  },
  actions: {
    raiseAction: {
      ...raiseActionSpec,
      input: {
        ...raiseActionSpec.input,
        part: text({
          default: '',
          max: 300,
          label: 'Answer',
          help: 'Path of the defect or failed answer that the action concerns, such as `lamps` or `tyres[1].tread`. If empty, the action concerns the whole form.',
        }),
      },
    },
  },
})

/** Counts of the answers to a form's choice questions. */
export type FormResults = {
  /** The last twelve months, oldest first: `2026-11`. */
  readonly months: readonly string[]
  /** Sites or vehicles that were checked, with their number of completed forms. */
  readonly subjects: readonly { readonly name: string; readonly forms: number }[]
  readonly questions: readonly {
    readonly name: string
    readonly label: string
    /** Options of all versions. `counts` has one number for each month. */
    readonly options: readonly {
      readonly value: string
      readonly label: string
      readonly means: 'fine' | 'defect' | null
      readonly counts: readonly number[]
    }[]
  }[]
}

const VERSION = ['form_id', 'number', 'title', 'schema', 'digest', 'author', 'created_at']
const ANSWER = [
  'number',
  'form_id',
  'version_id',
  'title',
  'answers',
  'digest',
  'points',
  'out_of',
  'percent',
  'result',
  'author',
  'created_at',
  'together',
  'subject',
  'defects',
  'by_link',
  'name',
  'company',
]

/** Seals published form versions and completed forms. */
export const customFormEvidence = [
  defineEvidence({
    of: customFormVersion,
    named: ({ number, title }) => `Version ${String(number)} of the form "${String(title)}"`,
    claims: 'true',
    rows: [],
    events: { 'form published': { columns: VERSION }, adopted: { columns: VERSION } },
    columns: { form_id: 'form', schema: 'questions' },
  }),
  defineEvidence({
    of: customFormAnswer,
    named: ({ number, title }) => `${String(number)} "${String(title)}"`,
    claims: 'true',
    rows: [],
    uploads: uploadedDocument,
    events: { 'form filled in': { columns: ANSWER, files: true }, adopted: { columns: ANSWER, files: true } },
    later: { together: [], subject: '', defects: null, by_link: false, name: '', company: '' },
    columns: {
      form_id: 'form',
      version_id: 'form version',
      out_of: 'available points',
      together: 'answers entered together',
      subject: 'what was checked',
      by_link: 'answered by link',
      name: 'name given by link',
      company: 'company given by link',
    },
  }),
] as const
