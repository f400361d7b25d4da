import { problem } from '#kernel/errors.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { DOCUMENT_AUTHORS, DOCUMENT_READERS } from '../rights.ts'
import { settingsForReading } from '../settings/held.server.ts'
import { formVersion } from '../types/form-version.ts'
import { type DocumentKind, type DocumentRecord, uploadAddress } from '../types/kind.ts'
import { formFor, formOfSentRecord } from './draft-form.server.ts'
import { type StoredForm, withFormerAnswers } from './forms.server.ts'

const addressOfForm = ({ id }: StoredForm) => (id === null ? null : iriOf(formVersion, id))

/** Routes of a type's forms: for a new draft and of a record. */
export function formRoutes(kind: DocumentKind): Route[] {
  const { url } = kind.resource
  const begun = async (c: RouteContext, industry: number | undefined) => {
    const form = await formFor(c, kind, c.me.clientId, industry)
    return { '@type': 'FormSchema', version: addressOfForm(form), ...form.schema }
  }
  return [
    {
      method: 'GET',
      path: `${url}/schema`,
      title: `Get the form for a new ${kind.noun}`,
      allow: DOCUMENT_AUTHORS,
      handle: (c) => begun(c, undefined),
    },
    {
      method: 'GET',
      path: `${url}/schema/{industry}`,
      title: `Get the form for a new ${kind.noun} in an industry`,
      allow: DOCUMENT_AUTHORS,
      handle: async (c) => {
        const industry = readId(c.params.industry)
        if (industry === undefined) throw problem.notFound()
        await c.engine.one(riskIndustry, c.actor, industry)
        return begun(c, industry)
      },
    },
    {
      method: 'GET',
      path: `${url}/{id}/form`,
      title: `Get the form of a ${kind.noun}`,
      allow: DOCUMENT_READERS,
      handle: async (c) => {
        const id = readId(c.params.id)
        if (id === undefined) throw problem.notFound()
        return recordFormOf(c, kind, await c.engine.one(kind.resource, c.actor, id))
      },
    },
  ]
}

/**
 * Returns a record's own form, the values of fields that only this form has, and a newer form if the draft could use
 * one.
 */
export async function recordFormOf(c: RouteContext, kind: DocumentKind, record: DocumentRecord) {
  const form = await formOfSentRecord(c, kind, record)
  const clientId = idAtEnd(uploadAddress(record.client)) ?? PROVIDER
  const { additional } = await withFormerAnswers(c.engine.db.read, form, clientId, record)
  const newest =
    record.state === 'draft' ? await formFor(c, kind, clientId, idAtEnd(uploadAddress(record.industry))) : form
  const declared = newest.schema === form.schema || newest.digest === form.digest
  return {
    '@type': 'FormOfDocument',
    version: addressOfForm(form),
    schema: form.schema,
    additional: form.former.length ? additional : null,
    settings: await settingsForReading(c, kind, record),
    newer: declared ? null : { version: addressOfForm(newest), number: newest.number, notes: newest.notes },
  }
}
