import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { describeFieldChanges } from '../contacts/contact.server.ts'
import { contact } from '../contacts/contact.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { EDITED_RESULT_CODE } from '../outcomes/decide.ts'
import { contactPerson, formatPersonName } from './person.ts'

/** Fields that identify a person, in addition to telephone numbers. */
const IDENTIFYING_FIELDS = ['name', 'jobTitle', 'email', 'mobile'] as const

const called = ({ name, jobTitle }: ValuesOf<typeof contactPerson>) =>
  [name || 'Somebody', jobTitle].filter(Boolean).join(', ')

const personBehaviour = behaviour(contactPerson, {
  beforeSave: ({ values }) => {
    if (!(values.name || values.telephone || values.mobile || values.email))
      throw problem.invalid([violation('name', 'Please enter a name, a telephone number or an e-mail address')])
  },
  /**
   * Adds a note about the change to the lead's timeline. If the person has been moved to another lead, adds notes to
   * both timelines.
   */
  afterSave: async (c) => {
    const { before, changes } = c
    const tell = (lead: number, who: ValuesOf<typeof contactPerson>, lines: readonly string[]) =>
      addNoteToContact(c, lead, { notes: [called(who), ...lines].join('\n'), lastResult: EDITED_RESULT_CODE })
    const lines = before ? await describeFieldChanges(c, contactPerson.fields, before, changes) : []
    if (before && lines.length) await tell(before.contact, before, lines)
    if (changes.contact && changes.contact !== before?.contact)
      await tell(changes.contact, { ...before, ...changes }, ['Person added'])
  },
  actions: {
    /**
     * Swaps the person with the lead's contact person. The landline stays with the company unless the new contact
     * person has their own, so that the lead keeps a number. If the lead had no contact person, the person's record is
     * retired.
     */
    askFor: async (c) => {
      const {
        row,
        input: { who },
      } = c
      const lead = await c.lock(contact, row.contact)
      const here = formatPersonName(row)
      if (who !== here || row.retired) {
        if (who === formatPersonName({ ...lead, telephone: lead.phone }))
          throw problem.conflict(`${who} is already the contact person.`)
        throw problem.conflict(
          who === here
            ? `${who} is retired.`
            : `This person is now ${here}, not ${who}. Check “Other people” and try again.`,
        )
      }
      if (row.left) throw problem.conflict(`${who} has left the company. Choose another person.`)
      const taken = { ...pick(row), personNotes: row.notes, ...(row.telephone ? { phone: row.telephone } : {}) }
      const given = { ...pick(lead), notes: lead.personNotes, telephone: row.telephone ? lead.phone : null }
      if (!(taken.name || taken.email || taken.mobile || row.telephone))
        throw problem.conflict('This person has no name, telephone number or e-mail address. Enter one of these first.')
      await c.change(contact, lead, taken)
      const isSomebody = given.name || given.email || given.mobile || given.telephone
      return { set: isSomebody ? given : { retired: true } }
    },
  },
})

const pick = (of: Readonly<Record<(typeof IDENTIFYING_FIELDS)[number], string | null>>) => ({
  name: of.name,
  jobTitle: of.jobTitle,
  email: of.email,
  mobile: of.mobile,
})

export const people = feature({
  resources: [contactPerson],
  behaviours: [personBehaviour],
})
