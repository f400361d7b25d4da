import { can } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvidence } from '#kernel/evidence.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { DeclaredForm } from '#kernel/forms/read-form.ts'
import { parseFormVersion } from '#kernel/forms/read-form.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { sealEvent, sealEventForClient } from '#server/evidence/seal.ts'
import { DOCUMENT_PACKS, TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import { formVersion } from '../types/document-fields.ts'
import type { DocumentKind } from '../types/kind.ts'
import { routesOfKinds } from '../types/kinds.server.ts'
import { formRoutes } from './routes.server.ts'

const EVIDENCE_COLUMNS = [
  'kind',
  'number',
  'industry_id',
  'declared',
  'schema',
  'digest',
  'notes',
  'used_from',
  'author',
  'created_at',
]

/**
 * Evidence specification that seals each form version when it is added, because revisions refer to form versions by
 * digest.
 */
const formEvidence = defineEvidence({
  of: formVersion,
  named: ({ kind, number }) => `Version ${String(number)} of the form ${String(kind)}`,
  claims: 'true',
  rows: [],
  events: { 'form added': { columns: EVIDENCE_COLUMNS }, adopted: { columns: EVIDENCE_COLUMNS } },
  columns: { schema: 'form', used_from: 'date of first use' },
})

const formNumberSequence = ({ kind }: DocumentKind) =>
  defineSequence({ name: `form ${kind}`, prefix: '', per: 'client', gapless: true, digits: 1 })

/** Returns the form that a document type declares in code and on which its form versions are based. */
export const toDeclaredForm = (kind: DocumentKind): DeclaredForm => ({
  schema: kind.schema,
  title: kind.title.field,
  taken: Object.keys(kind.resource.fields).filter((name) => !formFieldsIn(kind.schema).some((f) => f.name === name)),
})

/**
 * Creates the reference data that stores each declared form as a version for all clients, initially and after each
 * change in the code.
 */
export const declaredFormsReferenceData = (kinds: readonly DocumentKind[]): ReferenceData => ({
  name: `forms ${digestSubject(kinds.map((k) => [k.kind, k.schema])).slice(0, 16)}`,
  edition: 1,
  load: async (c) => {
    for (const kind of kinds) await keepDeclared(c, kind)
  },
})

async function keepDeclared(c: Context, kind: DocumentKind): Promise<void> {
  const { tx } = c.work
  const digest = digestSubject(kind.schema)
  const [last] = await tx.rows<{ digest: string }>(
    'SELECT digest FROM form_version WHERE client_id = 0 AND kind = $1 AND declared ORDER BY id DESC LIMIT 1',
    [kind.kind],
  )
  if (last?.digest === digest) return
  const { number } = await issueSequenceNumber(c, formNumberSequence(kind))
  // The first version applies from the beginning, because earlier documents were written with it.
  const [added] = await tx.rows<{ id: number }>(
    `INSERT INTO form_version (client_id, kind, number, declared, schema, digest, notes, used_from, author, created_at)
     VALUES (0, $1, $2, true, $3::jsonb, $4, $5, ${last ? '$6::timestamptz' : "coalesce('1970-01-01'::timestamptz, $6::timestamptz)"}, $7, $6::timestamptz) RETURNING id`,
    [kind.kind, number, JSON.stringify(kind.schema), digest, 'Built-in', c.now.toString(), c.actor.username],
  )
  if (added) await sealEventForClient(c, c.clientId, formEvidence, { event: 'form added', id: added.id })
}

const RECENT_FORM_AGE = { minutes: 5 }

/** Creates the behaviour that checks the changes and start date of a new form version and then seals the version. */
const formVersionBehaviour = (kinds: readonly DocumentKind[]) =>
  behaviour(formVersion, {
    beforeSave: async (c) => {
      if (c.clientId === PROVIDER_CLIENT_ID && !hasRole(c.actor, TEMPLATE_MANAGER_ROLES))
        throw problem.forbidden('The provider’s forms apply to all companies, so only template managers can add them.')
      const kind = kinds.find((k) => k.kind === c.values.kind)
      if (!kind)
        throw problem.invalid([violation('kind', `Please choose one of: ${kinds.map((k) => k.kind).join(', ')}`)])
      if (!can(c.actor, 'create', kind.resource) || !hasRole(c.actor, kind.roles.approvers))
        throw problem.forbidden(`You don’t have permission to change the form of ${kind.nouns}.`)
      const { form, wrong } = parseFormVersion(toDeclaredForm(kind), c.values.schema)
      const from = c.values.from ? Temporal.Instant.from(c.values.from) : c.now
      if (Temporal.Instant.compare(from, c.now.subtract(RECENT_FORM_AGE)) < 0)
        wrong.push(violation('from', 'A form can’t apply from a past date, because existing documents keep their form'))
      if (wrong.length) throw problem.invalid(wrong)
      return {
        schema: form,
        digest: digestSubject(form),
        number: (await issueSequenceNumber(c, formNumberSequence(kind))).number,
        from: from.toString(),
        createdAt: c.now.toString(),
      }
    },
    afterSave: async (c) => {
      const { id } = await c.written.saved()
      await sealEvent(c, formEvidence, { event: 'form added', id })
    },
  })

export const documentForms = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: DOCUMENT_PACKS,
    resources: [formVersion],
    behaviours: [formVersionBehaviour(kinds)],
    routes: routesOfKinds(kinds, formRoutes),
    evidence: [formEvidence],
    referenceData: [declaredFormsReferenceData(kinds)],
  })
