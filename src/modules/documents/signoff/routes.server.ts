import { text } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { Route } from '#server/engine/route.ts'
import { hydraCollection, listRoute } from '#server/http/list-route.ts'
import { DOCUMENT_AUTHORS, DOCUMENT_READERS } from '../rights.ts'
import { document } from '../types/document.ts'
import { canReadDocument } from './may-read.ts'
import { signOffPerson } from './sign-off.ts'

/** Returns a person who can be asked to sign, as listed for selection. */
const choosable = ({ id, name, username, roles }: RowOf<typeof user>) => ({
  '@id': iriOf(user, id),
  id,
  name,
  username,
  roles,
})

export const signOffRoutes: readonly Route[] = [
  listRoute(
    signOffPerson,
    `${signOffPerson.url}/mine`,
    'List the outstanding signatures requested from the user, first due first',
    ({ me, query }) => ({
      query: { ...query, user: String(me.userId), state: 'asked' },
      extra: [
        {
          sql: () =>
            'EXISTS (SELECT FROM document d WHERE d.client_id = t.client_id AND d.id = t.document_id AND d.current)',
        },
      ],
    }),
    { allow: DOCUMENT_READERS },
  ),
  {
    method: 'GET',
    path: '/api/safety/sign_offs/people',
    title: 'List the people whom the company can ask to sign: users who read documents',
    allow: DOCUMENT_AUTHORS,
    listOf: 'objects',
    query: { document: text({ help: 'Address or ID of a document: only its readers.' }) },
    handle: async ({ engine, me, query }) => {
      const given = firstQueryValue(query.document)
      const about = given ? await engine.one(document, me, idFromIriOrNumber(document, given) ?? -1) : undefined
      const found = await engine.readIn(me.clientId, 'list people who can be asked to sign', (c) =>
        c.find(user, { isRetired: false }),
      )
      const readers = found.filter((u) =>
        about ? canReadDocument(u, about) : DOCUMENT_READERS.some((role) => u.roles.includes(role)),
      )
      return hydraCollection(readers.toSorted((a, b) => a.name.localeCompare(b.name)).map(choosable))
    },
  },
]
