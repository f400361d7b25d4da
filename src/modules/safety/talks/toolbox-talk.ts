import { choice, date, flag, instant, integer, jsonOf, link, longText, rows, text } from '#kernel/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { APPROVERS, AUTHORS, READERS } from '#modules/documents/rights.ts'
import { handFields, METHODS } from '#modules/documents/types/document.ts'
import { documentKind } from '#modules/documents/types/kind.ts'
import { documentForSome } from '#modules/documents/used-files.ts'
import { talkPdf } from './pdf-body.ts'
import { talkInfo } from './talk-info.ts'

/** What a toolbox talk consists of: a title, why it matters, and points that can be said aloud in ten minutes. */
export const talkForm: FormSchema = {
  title: talkInfo.name,
  steps: [
    {
      name: 'talk',
      title: 'The talk',
      help: 'Write it as you would say it. Seven points are enough: people remember what they have heard once.',
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
              add: 'Add a point',
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

const TIME = { regex: /^([01]\d|2[0-3]):[0-5]\d$/, message: 'Please enter a time such as 07:30' }

/** Somebody who was to hear the talk: signed, or absent, and why. */
export const attendee = resource({
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
    name: text({ required: 'Please enter the name', filter: 'partial' }),
    method: choice(METHODS),
    ...handFields,
    /** Nobody's account goes by the name. */
    visitor: flag({ editable: 'nobody' }),
    signedAt: instant({ filter: true }),
    /** Why somebody who should have been there was not. */
    absence: text({ max: 500 }),
    /** Signed after the record was closed. */
    late: flag({ readonly: true, filter: true, label: 'Signed late' }),
  },
  allow: { read: READERS, rows: [{ unless: [], only: only.ofReadable('presented') }] },
  pack: 'safety',
})

/** Who presents talks, and keeps what they have begun: whoever is on site. */
export const KEEP_ATTENDANCE = [...AUTHORS, 'ROLE_EMPLOYEE'] as const

const facts = {
  talk: link(() => toolboxTalk.resource, { required: 'Please choose the talk', filter: true }),
  /** The talk as it was called on the day. */
  title: text({ readonly: true, search: true, filter: 'partial', order: true }),
  presenter: text({ required: 'Please enter who presents the talk', search: true, filter: 'partial', order: true }),
  /** The presenter has no account here. */
  presenterVisitor: flag({ editable: 'nobody' }),
  place: text({ default: '', search: true, filter: 'partial', order: true }),
  date: date({ required: true, filter: true, order: true }),
  startTime: text({ pattern: TIME, max: 5 }),
  finishTime: text({ pattern: TIME, max: 5 }),
  notes: longText({ default: '' }),
  /** Closed: everybody named has signed, or is down as absent. */
  complete: flag({ filter: true }),
  signed: integer({ readonly: true, notNull: true }),
  author: text({ readonly: true, stamp: 'author', filter: true }),
  createdAt: instant({ readonly: true, order: true }),
  retired: flag({ filter: true }),
} as const

/** One occasion on which a talk was given: who spoke, when, where, to whom. Closed, it stands. */
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
    attendees: rows(() => attendee, { by: 'presented', label: 'People' }),
    corrections: rows((): Resource => talkCorrection, { by: 'presented', label: 'Corrections', readonly: true }),
  },
  pack: 'safety',
  allow: {
    read: READERS,
    create: KEEP_ATTENDANCE,
    update: KEEP_ATTENDANCE,
    // It says what the talk is called, and who heard it: for those whom the talk is for, and whoever made the record.
    rows: [
      {
        unless: [],
        only: only.either(
          only.mine('author'),
          only.ofReadable('talk', () => documentForSome),
        ),
      },
      // Whoever hears a talk signs; what the record says, who is on it and when it is closed is for who began it, and for authors.
      { unless: AUTHORS, only: only.mine('author'), verbs: ['update'] },
    ],
  },
})

/** What people sign for. When it finished, and what there is to note, comes to be known while they sign. */
export const SIGNED_FOR = ['presenter', 'date', 'place', 'startTime'] as const

/** Has somebody signed under this of a record, so that it says something else by a correction alone? */
export const standsSigned = (
  record: { readonly signed: number } & Partial<Record<(typeof SIGNED_FOR)[number], string | null>>,
  name: string,
): boolean => record.signed > 0 && SIGNED_FOR.some((one) => one === name && record[one])

/** What people signed for, put right: what the record says instead, what it said until then, and why. */
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
    /** What the record said until then, of what was put right. */
    formerly: jsonOf<Readonly<Record<string, string>>>()({ default: {}, editable: 'nobody' }),
    reason: text({ required: 'Please say why it is put right', max: 500, label: 'Why is it put right?' }),
    author: text({ readonly: true, stamp: 'author', label: 'Corrected by' }),
    createdAt: instant({ readonly: true }),
  },
  allow: { read: READERS, create: APPROVERS, rows: [{ unless: [], only: only.ofReadable('presented') }] },
  pack: 'safety',
})

/** A correction with the record that it is of: as notices have it. */
export const seenCorrection = resource({
  ...talkCorrection,
  fields: {
    ...talkCorrection.fields,
    presented: link(() => presentedTalk, { required: true, filter: true, embed: ['title', 'date'] }),
  },
})

/** Somebody who is named, with what is said of the talk that they heard: as notices and lists of what is to be signed have it. */
export const namedForTalk = resource({
  ...attendee,
  fields: {
    ...attendee.fields,
    presented: link(() => presentedTalk, {
      required: true,
      filter: true,
      embed: ['talk', 'title', 'date', 'presenter', 'place'],
    }),
  },
})

/** The same record without its people, of whom there may be hundreds: what is held while one of them signs. */
export const attendance = resource({ ...presentedTalk, fields: facts })

/** A short talk on one subject, given on site: edited, accepted, replaced; and presented, with signatures. */
export const toolboxTalk = documentKind({
  ...talkInfo,
  type: 'ToolboxTalk',
  path: 'toolbox_talks',
  prefix: 'TT',
  title: { field: 'title', label: 'Title', required: 'Field required, please enter text' },
  parent: 'previous',
  schema: talkForm,
  reviewMonths: 24,
  pdf: {
    template: 'src/modules/safety/talks/toolbox-talk.typ',
    body: talkPdf,
    beside: () => ({ presented: { of: presentedTalk, by: 'talk' } }),
  },
  blank: () => ({ points: [{ text: '' }], uploadedDocuments: [] }),
})
