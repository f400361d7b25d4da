import { fileRoutesOf, uploadRoute } from '#rooms/portal/offers.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { contact } from '../contacts/contact.ts'
import { changedLines } from '../contacts/edit-note.server.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { EDITED } from '../contacts/outcomes.ts'
import { leadFile } from './lead-file.ts'

export const leadFileBehaviour = behaviour(leadFile, {
  saved: async (c) => {
    const { before, changes } = c
    const lead = before?.contact ?? changes.contact
    const lines = before ? await changedLines(c, leadFile.fields, before, changes) : ['File added']
    const name = before?.name ?? changes.name
    if (lead && lines.length) await noteOnContact(c, lead, { notes: [name, ...lines].join('\n'), lastResult: EDITED })
  },
})

export const leadFileRoutes = [
  uploadRoute({
    path: `${contact.url}/{id}/files`,
    title: 'Upload a file of a lead: multipart/form-data with `file`',
    allow: 'ROLE_STAFF',
    into: leadFile,
    place: async (c) => {
      const lead = await c.engine.idOf(contact, c.actor, c.params.id)
      await c.engine.one(contact, c.actor, lead)
      return { contact: lead }
    },
  }),
  ...fileRoutesOf(leadFile, 'ROLE_STAFF'),
]
