import { date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES, documentWithAudience } from '#modules/documents/rights.ts'
import { presentedTalk, toolboxTalk } from '../talks/toolbox-talk.ts'

/**
 * Talk planned for a given week, with place and presenter. Presenting the talk links its record to the planned talk.
 */
export const scheduledTalk = resource({
  type: 'ScheduledTalk',
  service: 'safety',
  path: 'scheduled_talks',
  table: 'talk_scheduled',
  tenant: 'own',
  title: 'title',
  order: ['week'],
  fields: {
    talk: link(() => toolboxTalk.resource, { required: 'Please choose a talk', filter: true }),
    /** Title of the talk when it was planned. */
    title: text({ readonly: true, search: true, filter: 'partial', order: true }),
    week: date({ required: 'Please choose a week', filter: true, order: true, label: 'Week of' }),
    presenter: text({ required: 'Please enter the presenter', search: true, filter: 'partial', order: true }),
    /** Account that receives the reminders, set if only one account has the presenter's name. */
    user: integer({ editable: 'nobody', column: 'user_id', filter: true }),
    place: text({ default: '', search: true, filter: 'partial', order: true, label: 'Site or place' }),
    notes: longText({ default: '', max: 2000 }),
    /** Record of the presentation; empty until the talk has been presented. */
    presented: link(() => presentedTalk, { readonly: true, filter: true, embed: ['date', 'complete'] }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    retired: flag({ filter: true, label: 'Cancelled' }),
  },
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    update: DOCUMENT_AUTHOR_ROLES,
    rows: [{ unless: [], only: only.ofReadable('talk', () => documentWithAudience) }],
  },
  pack: 'safety',
})

export type ScheduledTalkRecord = RecordOf<typeof scheduledTalk>
