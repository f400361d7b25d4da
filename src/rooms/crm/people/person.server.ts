import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { contact } from '../contacts/contact.ts'
import { changedLines } from '../contacts/edit-note.server.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { EDITED } from '../contacts/outcomes.ts'
import { contactPerson } from './person.ts'

/** What makes somebody a person, but for their numbers. */
const OWN = ['name', 'jobTitle', 'email', 'mobile'] as const

const called = ({ name, jobTitle }: ValuesOf<typeof contactPerson>) =>
  [name || 'Somebody', jobTitle].filter(Boolean).join(', ')

export const personBehaviour = behaviour(contactPerson, {
  prepare: ({ before, changes, values }) => {
    if (!(values.name || values.telephone || values.mobile || values.email))
      throw problem.invalid([violation('name', 'Please enter a name, a telephone number or an e-mail address')])
    if (before && changes.contact !== undefined && changes.contact !== before.contact)
      throw problem.invalid([
        violation('contact', 'A person stays with their company. Please add them to the other one.'),
      ])
  },
  saved: async (c) => {
    const { before, changes } = c
    const of = before?.contact ?? changes.contact
    const lines = before ? await changedLines(c, contactPerson.fields, before, changes) : ['Person added']
    if (!lines.length || !of) return
    await noteOnContact(c, of, { notes: [called(before ?? changes), ...lines].join('\n'), lastResult: EDITED })
  },
  actions: {
    /**
     * Exchanges who they are. A landline is the company's until whoever is asked for brings another, so that nobody is
     * left without a number.
     */
    askFor: async (c) => {
      const { row } = c
      const lead = await c.lock(contact, row.contact)
      const taken = { ...pick(row), personNotes: row.notes, ...(row.telephone ? { phone: row.telephone } : {}) }
      const given = { ...pick(lead), notes: lead.personNotes, telephone: row.telephone ? lead.phone : null }
      if (!(taken.name || taken.email || taken.mobile || row.telephone)) throw problem.conflict('Nobody is named here.')
      await c.change(contact, lead, taken)
      const isSomebody = given.name || given.email || given.mobile || given.telephone
      return { set: isSomebody ? { ...given, left: false, retired: false } : { retired: true } }
    },
  },
})

const pick = (of: Readonly<Record<(typeof OWN)[number], string | null>>) => ({
  name: of.name,
  jobTitle: of.jobTitle,
  email: of.email,
  mobile: of.mobile,
})
