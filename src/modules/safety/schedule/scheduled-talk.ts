import { date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { AUTHORS, READERS } from '#modules/documents/rights.ts'
import { documentForSome } from '#modules/documents/used-files.ts'
import { presentedTalk, toolboxTalk } from '../talks/toolbox-talk.ts'

/** A talk that is to be given in a week, where, and by whom. The record of it, once there is one, says that it was. */
export const scheduledTalk = resource({
  type: 'ScheduledTalk',
  service: 'safety',
  path: 'scheduled_talks',
  table: 'talk_scheduled',
  tenant: 'own',
  title: 'title',
  order: ['week'],
  fields: {
    talk: link(() => toolboxTalk.resource, { required: 'Please choose the talk', filter: true }),
    /** The talk as it was called when it was planned. */
    title: text({ readonly: true, search: true, filter: 'partial', order: true }),
    /** The Monday that the week begins with. */
    week: date({ required: 'Please choose the week', filter: true, order: true, label: 'Week of' }),
    presenter: text({ required: 'Please enter who presents the talk', search: true, filter: 'partial', order: true }),
    /** The account that alone goes by the presenter's name: it is reminded. */
    user: integer({ editable: 'nobody', column: 'user_id', filter: true }),
    place: text({ default: '', search: true, filter: 'partial', order: true, label: 'Site or place' }),
    notes: longText({ default: '', max: 2000 }),
    /** The record that was begun of it. */
    presented: link(() => presentedTalk, { readonly: true, filter: true, embed: ['date', 'complete'] }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    retired: flag({ filter: true, label: 'Cancelled' }),
  },
  allow: {
    read: READERS,
    create: AUTHORS,
    update: AUTHORS,
    rows: [{ unless: [], only: only.ofReadable('talk', () => documentForSome) }],
  },
  pack: 'safety',
})

export type Plan = RecordOf<typeof scheduledTalk>
