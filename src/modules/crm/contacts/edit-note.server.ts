import { type Field, type Fields, labelOf } from '#kernel/fields.ts'
import type { AfterSave } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { RESULT_EDITED } from '../outcomes/decide.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'

/** Changes that are left out of an edit's note (specification, section 4), and those of no use to readers. */
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

/** Adds a note with the old and new values of an edit. */
export async function addEditNote(c: Context & AfterSave<typeof contact>): Promise<void> {
  if (!c.before) return
  const changes = { ...c.changes }
  if (!changes.callAgainReason) delete changes.callAgainReason
  const lines = await describeChanges(c, contact.fields, c.before, changes)
  if (lines.length) await noteOnContact(c, c.before.id, { notes: lines.join('\n'), lastResult: RESULT_EDITED })
}

/** Lines such as "City: Leeds → York" for each reported value. */
export async function describeChanges(c: Context, fields: Fields, before: Values, changes: Values): Promise<string[]> {
  const lines: string[] = []
  for (const [name, value] of Object.entries(changes)) {
    const field = fields[name]
    if (!field || UNLISTED.has(name)) continue
    const [from, to] = [await wordOf(c, field, before[name]), await wordOf(c, field, value)]
    lines.push(`${labelOf(name, field)}: ${from} → ${to}`)
  }
  return lines
}

/** Readable form of a value: names of related records instead of ids. */
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
