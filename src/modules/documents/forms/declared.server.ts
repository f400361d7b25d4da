import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { DeclaredForm } from '#kernel/forms/read-form.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { nextNumber } from '#server/data/sequences.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { digestOfSubject } from '#server/evidence/link.ts'
import { sealEventForClient } from '#server/evidence/seal.ts'
import type { DocumentKind } from '../types/kind.ts'
import { formEvidence } from './form-evidence.ts'

export const formNumberSequence = ({ kind }: DocumentKind) =>
  defineSequence({ name: `form ${kind}`, prefix: '', per: 'client', gapless: true, digits: 1 })

/** The form that a type declares, as the basis of its versions. */
export const declaredFormOf = (kind: DocumentKind): DeclaredForm => ({
  schema: kind.schema,
  title: kind.title.field,
  taken: Object.keys(kind.resource.fields).filter((name) => !fieldsIn(kind.schema).some((f) => f.name === name)),
})

/** Stores each declared form as a version for all clients: at first, and whenever the code declares another. */
export const declaredFormsReference = (kinds: readonly DocumentKind[]): Reference => ({
  name: `forms ${digestOfSubject(kinds.map((k) => [k.kind, k.schema])).slice(0, 16)}`,
  edition: 1,
  load: async (c) => {
    for (const kind of kinds) await keepDeclared(c, kind)
  },
})

async function keepDeclared(c: Context, kind: DocumentKind): Promise<void> {
  const { tx } = c.work
  const digest = digestOfSubject(kind.schema)
  const [last] = await tx.rows<{ digest: string }>(
    'SELECT digest FROM form_version WHERE client_id = 0 AND kind = $1 AND declared ORDER BY id DESC LIMIT 1',
    [kind.kind],
  )
  if (last?.digest === digest) return
  const { number } = await nextNumber(c, formNumberSequence(kind))
  // The first version applies from the beginning: earlier documents were written with it.
  const [added] = await tx.rows<{ id: number }>(
    `INSERT INTO form_version (client_id, kind, number, declared, schema, digest, notes, used_from, author, created_at)
     VALUES (0, $1, $2, true, $3::jsonb, $4, $5, ${last ? '$6::timestamptz' : "coalesce('1970-01-01'::timestamptz, $6::timestamptz)"}, $7, $6::timestamptz) RETURNING id`,
    [kind.kind, number, JSON.stringify(kind.schema), digest, 'Built-in', c.now.toString(), c.actor.username],
  )
  if (added) await sealEventForClient(c, c.clientId, formEvidence, { event: 'form added', id: added.id })
}
