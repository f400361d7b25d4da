import { type Fields, labelOf } from '#kernel/fields.ts'
import type { Saved } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'
import { EDITED } from './outcomes.ts'

/** Changes that an edit's note does not list (specification, section 4), and those that say nothing to a reader. */
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
const FIELDS: Fields = contact.fields

/** Tells in a note what an edit has changed, from what to what. */
export async function noteEdit(c: Context & Saved<typeof contact>): Promise<void> {
  if (!c.before) return
  const before: Readonly<Record<string, unknown>> = c.before
  const lines: string[] = []
  for (const [name, value] of Object.entries(c.changes)) {
    const field = FIELDS[name]
    if (!field || UNLISTED.has(name) || (name === 'callAgainReason' && !value)) continue
    const [from, to] = [await wordOf(c, name, before[name]), await wordOf(c, name, value)]
    lines.push(`${labelOf(name, field)}: ${from} → ${to}`)
  }
  if (lines.length) await noteOnContact(c, c.before.id, { notes: lines.join('\n'), lastResult: EDITED })
}

/** What a value is called: of related records their names, not their numbers. */
async function wordOf(c: Context, name: string, value: unknown): Promise<string> {
  if (value === null || value === undefined || value === '') return 'blank'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const target = FIELDS[name]?.target?.()
  if (typeof value === 'number' && target?.title) {
    const row: Readonly<Record<string, unknown>> | undefined = await c.get(target, value)
    const title = row?.[target.title]
    if (typeof title === 'string') return title
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
