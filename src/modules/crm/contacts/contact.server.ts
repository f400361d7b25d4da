import { problem, violation } from '#kernel/errors.ts'
import { type Field, type Fields, labelOf } from '#kernel/fields.ts'
import { authorOf, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { clientDetailsEdited } from '#modules/portal/clients/details-edited-event.ts'
import type { AfterSaveInput } from '#server/engine/behaviour.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { recordedCall } from '../calls/call.ts'
import { normaliseCompanyNumber } from '../duplicate-keys/keys.ts'
import { EDITED_RESULT_CODE } from '../outcomes/decide.ts'
import { callOutcome, lastResult } from '../outcomes/outcome.ts'
import { ensureStaffRecordId } from '../staff/staff.server.ts'
import { contact, note, referral, sale, supportedContact } from './contact.ts'
import { businessType, city, importBatch, leadSource } from './import-batch.ts'
import { addNoteToContact, noteBehaviour, requireAuthor } from './note.server.ts'
import {
  closeLeadWithoutCall,
  readOutcomeRule,
  recordOutcome,
  requireNotLeasedByColleague,
  undoOutcome,
} from './outcome.server.ts'
import { findLeaseholderName, leaseLead, releaseLead } from './queue.server.ts'
import { contactRoutes, excludeTrayLeads } from './routes.server.ts'

/**
 * Fields that are left out of the note about an edit: those listed in the specification, section 4, and those of no use
 * to readers.
 */
const UNLISTED = new Set([
  'lastResults',
  'expiry',
  'callback',
  'callbackDate',
  'lastResult',
  'outcome',
  'updatedAt',
  'customer',
  'businessType',
  'lastEditBy',
  'category',
])

type Values = Readonly<Record<string, unknown>>

/** Adds a note with the old and new values of the edited fields. */
async function addEditNote(c: Context & AfterSaveInput<typeof contact>): Promise<void> {
  if (!c.before) return
  const changes = { ...c.changes }
  if (!changes.callAgainReason) delete changes.callAgainReason
  const lines = await describeFieldChanges(c, contact.fields, c.before, changes)
  if (lines.length) await addNoteToContact(c, c.before.id, { notes: lines.join('\n'), lastResult: EDITED_RESULT_CODE })
}

/** Returns one line for each changed field that is reported, such as "City: Leeds → York". */
export async function describeFieldChanges(
  c: Context,
  fields: Fields,
  before: Values,
  changes: Values,
): Promise<string[]> {
  const lines: string[] = []
  for (const [name, value] of Object.entries(changes)) {
    const field = fields[name]
    if (!field || UNLISTED.has(name)) continue
    const [from, to] = [await wordOf(c, field, before[name]), await wordOf(c, field, value)]
    lines.push(`${labelOf(name, field)}: ${from} → ${to}`)
  }
  return lines
}

/** Returns a value as readable text, with the names of related records instead of their IDs. */
async function wordOf(c: Context, field: Field, value: unknown): Promise<string> {
  if (value === null || value === undefined || value === '') return 'blank'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const target = field.target?.()
  if (typeof value === 'number' && target?.title) {
    const row: Values | undefined = await c.get(target, value)
    const title = row?.[target.title]
    if (typeof title === 'string') return title
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Adds a note to a client's lead when staff change the client's details (specification, section 4). The lead belongs to
 * the provider but the changed row to the client, so the note is added after the commit.
 */
const clientDetailsNote = eventHandler(clientDetailsEdited, {
  name: 'crm.client-details-note',
  queue: 'events',
  inClient: PROVIDER_CLIENT_ID,
  run: async (c, { client, by }) => {
    const about = await c.find(contact, { client, retired: false })
    if (!about.length) return
    const note = {
      notes: 'Updated Client details',
      lastResult: EDITED_RESULT_CODE,
      author: by.username,
      user: (await ensureStaffRecordId(c, by)) ?? null,
    }
    for (const { id } of about) await addNoteToContact(c, id, note)
  },
})

const crmRecordBehaviours = [
  // A new result appears in no lead list and can't be chosen at the end of a call. Outcomes are created and edited
  // through their own resource.
  behaviour(lastResult, {
    beforeSave: async (c) => {
      if (!c.before) return { category: 'NOTE' }
      if ((await c.get(callOutcome, c.before.id))?.effect !== 'none')
        throw problem.conflict('This result is a call outcome. Please change it under “Call outcomes”.')
      return undefined
    },
  }),
  /**
   * The author of a sale is the user who creates it. The seller (`user`) is that user's staff record, unless the
   * request names another seller. `requireAuthor` checks changes to the sale.
   */
  behaviour(sale, {
    beforeSave: async (c) => {
      if (c.before) {
        requireAuthor(c, c.before, c.changes)
        return undefined
      }
      return { author: authorOf(c.actor).username, user: c.values.user ?? (await ensureStaffRecordId(c)) ?? null }
    },
  }),
  behaviour(supportedContact, {
    afterSave: async (c) => {
      if (!c.before || c.changes.supported === undefined) return
      const notes = c.changes.supported ? 'Now a supported client.' : 'No longer a supported client.'
      await addNoteToContact(c, c.before.contact, { notes, lastResult: EDITED_RESULT_CODE })
    },
  }),
]

/**
 * Merges the accumulated count differences for each category, so that there are few rows to add up. The job takes no
 * locks that callers need: differences that arrive in the meantime are left for the next run.
 */
const leadCountSchedule = schedule({
  name: 'crm.counts',
  every: { minutes: 1 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock(7261837)')
      await tx.rows(
        `WITH many AS (SELECT client_id, owner_id, category, ir35 FROM contact_count GROUP BY 1, 2, 3, 4 HAVING count(*) > 20),
         gone AS (DELETE FROM contact_count c USING many m WHERE (c.client_id, c.owner_id, c.category, c.ir35) = (m.client_id, m.owner_id, m.category, m.ir35) RETURNING c.*)
         INSERT INTO contact_count (client_id, owner_id, category, ir35, n) SELECT client_id, owner_id, category, ir35, sum(n) FROM gone GROUP BY 1, 2, 3, 4`,
      )
    }),
})

const contactBehaviour = behaviour(contact, {
  extraFilters: excludeTrayLeads,
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.mergedInto !== null)
      throw problem.conflict('This lead has been merged into another. Nothing was saved. Please open the other lead.')
    // A lead needs at least a name, a telephone number or an e-mail address.
    const named = values.companyName || values.name || values.phone || values.mobile || values.email
    if (!named)
      throw problem.invalid([
        violation('companyName', 'Please enter a company, a name, a telephone number or an e-mail address'),
      ])
    if (before?.doNotCall && changes.doNotCall === false && !hasRole(c.actor, 'ROLE_LEADS_ADMIN'))
      throw problem.forbidden('This lead has asked not to be called. Only a lead administrator can remove the block.')
    if (before?.doNotCall && changes.doNotCall === false && !changes.callAgainReason?.trim())
      throw problem.invalid([violation('callAgainReason', 'Please explain why this lead may be called again')])
    // Setting the result directly is treated as recording an outcome, so the rules for outcomes apply.
    if (changes.lastResult !== undefined && before) await requireNotLeasedByColleague(c, before)
    const isDead =
      typeof changes.lastResult === 'number' && (await readOutcomeRule(c, changes.lastResult))?.effect === 'bar'
    return {
      ...(changes.companyNumber ? { companyNumber: normaliseCompanyNumber(changes.companyNumber) } : {}),
      ...(changes.lastResult === undefined ? {} : { outcome: null }),
      ...(isDead ? { doNotCall: true } : {}),
      // Clears the reason, so that lifting a later opt-out requires a new one.
      ...(isDead || changes.doNotCall ? { callAgainReason: null } : {}),
    }
  },
  afterSave: addEditNote,
  actions: {
    outcome: recordOutcome,
    close: closeLeadWithoutCall,
    undo: undoOutcome,
    lease: async (c) => {
      const { row, input, work, actor } = c
      if (input.release) {
        await releaseLead(work.tx, actor, row.id)
        return { answer: () => ({ released: true }) }
      }
      const lead = await leaseLead(work.tx, actor, row.id)
      const heldBy = lead ? null : ((await findLeaseholderName(c, row)) ?? null)
      return { answer: () => ({ contact: lead?.sent ?? null, heldBy }) }
    },
  },
})

export const contacts = feature({
  resources: [
    contact,
    note,
    recordedCall,
    businessType,
    city,
    leadSource,
    sale,
    referral,
    supportedContact,
    importBatch,
  ],
  behaviours: [contactBehaviour, noteBehaviour, ...crmRecordBehaviours],
  routes: contactRoutes,
  handlers: [clientDetailsNote],
  schedules: [leadCountSchedule],
})
