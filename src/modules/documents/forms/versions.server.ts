import { problem, violation } from '#kernel/errors.ts'
import { readForm } from '#kernel/forms/read-form.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { nextNumber } from '#server/data/sequences.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { digestOfSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { TEMPLATE_MANAGERS } from '../rights.ts'
import { formVersion } from '../types/form-version.ts'
import type { DocumentKind } from '../types/kind.ts'
import { declaredFormOf, declaredFormsReference, formNumberSequence } from './declared.server.ts'
import { formEvidence } from './form-evidence.ts'
import { formRoutes } from './routes.server.ts'

const LATELY = { minutes: 5 }

/** Adds a form version: checks its changes and start date, and seals it. */
const formVersionBehaviour = (kinds: readonly DocumentKind[]) =>
  behaviour(formVersion, {
    beforeSave: async (c) => {
      if (c.clientId === PROVIDER && !hasRole(c.actor, TEMPLATE_MANAGERS))
        throw problem.forbidden('Forms of the provider are for all companies: only template managers can add one.')
      const kind = kinds.find((k) => k.kind === c.values.kind)
      if (!kind)
        throw problem.invalid([violation('kind', `Please choose one of: ${kinds.map((k) => k.kind).join(', ')}`)])
      const { form, wrong } = readForm(declaredFormOf(kind), c.values.schema)
      const from = c.values.from ? Temporal.Instant.from(c.values.from) : c.now
      if (Temporal.Instant.compare(from, c.now.subtract(LATELY)) < 0)
        wrong.push(violation('from', 'A form applies from now or later: existing documents keep theirs'))
      if (wrong.length) throw problem.invalid(wrong)
      return {
        schema: form,
        digest: digestOfSubject(form),
        number: (await nextNumber(c, formNumberSequence(kind))).number,
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
    pack: 'safety',
    resources: [formVersion],
    behaviours: [formVersionBehaviour(kinds)],
    routes: kinds.flatMap(formRoutes),
    evidence: [formEvidence],
    referenceData: [declaredFormsReference(kinds)],
  })
