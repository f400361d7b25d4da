import { problem } from '#kernel/errors.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { DOCUMENT_AUTHORS, TEMPLATE_MANAGERS } from '#modules/documents/rights.ts'
import { audienceProblems, EVERYONE } from '#modules/documents/types/audience.ts'
import { uploadAddress } from '#modules/documents/types/kind.ts'
import { findUnknownRoles } from '#modules/portal/known-roles.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { present } from '#server/engine/field-access.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { digestOfSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { answerFormRoute, customFormAnswerBehaviour } from './answers.server.ts'
import { customForm, customFormAnswer, customFormVersion } from './custom-form.ts'
import { customFormEvidence } from './evidence.ts'
import { answerExportRoutes } from './export.server.ts'
import { EMPTY_STEPS, parseCustomForm, publishProblems } from './form-rules.ts'
import { completedFormPdfRoute } from './pdf.server.ts'
import { SAMPLE_FORMS } from './samples.ts'

/** The provider's published forms, for companies to copy. Existing ones are not overwritten. */
const customFormReference: Reference = {
  name: 'custom forms',
  edition: 1,
  load: async (c) => {
    const there = new Set((await c.find(customForm, {})).map((form) => form.templateKey))
    const unit = c.withoutPermissionCheck('the portal brings its own forms')
    for (const { key, title, notes, schema } of SAMPLE_FORMS) {
      if (there.has(key)) continue
      const made = await (await unit.create(customForm, { title, notes, schema, templateKey: key })).saved()
      await unit.act(customForm, 'publish', made.id, {})
    }
  },
}

const [versionEvidence] = customFormEvidence

/** Throws 403 for the provider's forms unless the user manages templates. */
function assertKeeps({ clientId, actor }: Pick<Context, 'clientId' | 'actor'>): void {
  if (clientId === PROVIDER && !hasRole(actor, TEMPLATE_MANAGERS))
    throw problem.forbidden('This form of the provider is shared with everybody: only template managers can edit it.')
}

/** Validates the form on every save, so that drafts are always complete and sound. */
const customFormBehaviour = behaviour(customForm, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    assertKeeps(c)
    const { form, wrong } = parseCustomForm(values.title ?? '', values.schema ?? { steps: EMPTY_STEPS })
    const audience = changes.audience ?? []
    const unread = audienceProblems(EVERYONE, audience)
    const all = [...wrong, ...(unread.length ? unread : await findUnknownRoles(c, 'audience', audience))]
    if (all.length) throw problem.invalid(all)
    const same = before && digestOfSubject(before.schema) === digestOfSubject(form)
    return same ? undefined : { schema: form, unpublished: true }
  },
  actions: {
    publish: async (c) => ({ set: await publishForm(c, c.row) }),
  },
})

/** Versions are added by publishing only; each is sealed in its client's chain. */
const customFormVersionBehaviour = behaviour(customFormVersion, {
  afterSave: async (c) => {
    const { id } = await c.written.saved()
    await sealEvent(c, versionEvidence, { event: 'form published', id })
  },
})

/** Adds the form's draft as its next version and returns the form's new fields. Throws 409 if nothing has changed. */
async function publishForm(c: Context, row: RowOf<typeof customForm>) {
  assertKeeps(c)
  if (row.retired) throw problem.conflict('This form is deleted. Please restore it first.')
  const { form, wrong } = parseCustomForm(row.title, row.schema)
  const all = [...wrong, ...publishProblems(form)]
  if (all.length) throw problem.invalid(all)
  const digest = digestOfSubject(form)
  const last = row.current === null ? undefined : await c.get(customFormVersion, row.current)
  if (last?.digest === digest) throw problem.conflict(`Nothing has changed since version ${last.number} was published.`)
  const added = await c.withoutPermissionCheck('publishing a form adds its version').create(customFormVersion, {
    form: row.id,
    number: row.version + 1,
    title: row.title,
    schema: form,
    digest,
    createdAt: c.now.toString(),
  })
  const { id } = await added.saved()
  return { current: id, version: row.version + 1, live: true, unpublished: false }
}

/** Copies a form to one's own company, for example a ready-made form of the provider. */
const copyFormRoute: Route = {
  method: 'POST',
  path: `${customForm.url}/{id}/copy`,
  title: 'Copy a form to one’s own company, to edit and publish it there',
  allow: DOCUMENT_AUTHORS,
  handle: async (c) => {
    const id = readId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const from = await c.engine.one(customForm, c.me, id)
    const isOwn = idAtEnd(uploadAddress(from.client)) === c.me.clientId
    const version = isOwn ? undefined : idAtEnd(from.current)
    // The provider's forms are copied as published, one's own as drafted.
    const { schema } = version === undefined ? from : await c.engine.one(customFormVersion, c.me, version)
    return c.engine.inTenant(c.me.clientId, { ...c.change(), resource: customForm }, async (unit) => {
      const made = await unit.create(customForm, {
        title: from.title,
        notes: from.notes,
        schema,
        copiedFrom: from.title,
        audience: from.audience,
      })
      await made.saved()
      return () => present(customForm, c.me, made)
    })
  },
}

export const customFormResourceBehaviour = feature({
  pack: 'safety',
  resources: [customForm, customFormVersion, customFormAnswer],
  behaviours: [customFormBehaviour, customFormVersionBehaviour, customFormAnswerBehaviour],
  routes: [copyFormRoute, answerFormRoute, completedFormPdfRoute, ...answerExportRoutes],
  evidence: customFormEvidence,
  referenceData: [customFormReference],
  seeds: () => import('./demo.server.ts'),
})
