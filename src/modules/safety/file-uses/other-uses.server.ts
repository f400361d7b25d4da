import { accessScopeFor } from '#kernel/can.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { FILE_USER_ROLES, uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { findFileVersionIds } from '#modules/portal/files/versions.server.ts'
import { letterhead } from '#modules/portal/letterhead/letterhead.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { customFormAnswer } from '../custom-forms/custom-form.ts'
import { completedFormPath } from '../custom-forms/paths.ts'
import { substance } from '../substances/substance.ts'

const MAX_PAGE = { limit: 20, offset: 0 }

/**
 * Route that lists where a file is used outside documents, in any of its versions. Includes only uses that the user may
 * see.
 */
const otherFileUsesRoute: Route = {
  method: 'GET',
  path: `${uploadedDocument.url}/{id}/other_uses`,
  title: 'Describe the uses of this file outside documents: substances, completed custom forms and the letterhead',
  allow: FILE_USER_ROLES,
  listOf: 'objects',
  handle: async (c) => {
    const files = await findFileVersionIds(c)
    const usesOf = async <R extends Resource>(
      r: R,
      holds: (files: string) => string,
      use: (record: RecordOf<R>) => { as: string; path: string },
    ) => {
      if (accessScopeFor(c.me, 'read', r).tenants === 'none') return []
      const extra = [{ sql: (next: (v: unknown) => string) => holds(`${next(files)}::bigint[]`) }]
      const { members } = await c.engine.list(r, c.me, {}, MAX_PAGE, { extra })
      return members.map((record) => ({ '@id': record['@id'], '@type': 'FileUse', ...use(record) }))
    }
    const found = await Promise.all([
      usesOf(
        substance,
        (ids) => `t.sheet_id = ANY(${ids}) AND NOT t.retired`,
        ({ name }) => ({ as: `the data sheet for ${name}`, path: `/safety/substances?q=${encodeURIComponent(name)}` }),
      ),
      usesOf(
        customFormAnswer,
        (ids) => `t.files && ${ids}`,
        ({ id, number, title }) => ({ as: `part of ${number}, ${title}`, path: completedFormPath(id) }),
      ),
      usesOf(
        letterhead,
        (ids) => `t.logo_id = ANY(${ids})`,
        () => ({ as: 'the logo on your documents', path: '/config/letterhead' }),
      ),
    ])
    return hydraCollection(found.flat())
  },
}

export const fileUsesFeature = feature({
  routes: [otherFileUsesRoute],
})
